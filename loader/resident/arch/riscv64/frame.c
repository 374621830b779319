/* Signal frames of riscv64, as get_sigframe and setup_rt_frame in the kernel. */
#include "loader/resident/arch/frame.h"

#include "common/arch/bytes.h"
#include "common/arch/machine.h"
#include "loader/resident/arch/gadget.h"

#include <stddef.h>

#define EXTENSION_VECTOR 0x53465457

/* The pointer to the vector registers, in the extension (struct __riscv_v_ext_state). */
#define VECTOR_POINTER (sizeof(struct kernel_extension) + 5 * sizeof(uint64_t))
#define VECTOR_BYTES   (VECTOR_POINTER + sizeof(uint64_t))

uint64_t frame_return;

/* The length of the floating-point state and of all extensions, with the one that ends them. */
static uint64_t state_bytes(const struct kernel_context *context)
{
	const struct kernel_extension *first = &frame_state(context)->first, *at = first;

	while (at->magic != 0)
		at = (const struct kernel_extension *)((const uint8_t *)at + at->bytes);
	return (uint64_t)(at + 1) - (uint64_t)frame_state(context);
}

struct frame_places frame_places_below(uint64_t address, const struct kernel_context *context)
{
	uint64_t length = offsetof(struct signal_frame, floating_point) + state_bytes(context);

	return (struct frame_places){.frame = (address - length) & ~UINT64_C(15)};
}

/* Where the vector registers are if the state is in a frame; 0 if the context has none. */
static uint64_t vector_registers(const struct kernel_context *context,
				 const struct kernel_floating_point *state)
{
	return frame_state(context)->first.magic == EXTENSION_VECTOR
		   ? (uint64_t)&state->first + VECTOR_BYTES
		   : 0;
}

bool frame_write(const struct frame_places *places, const struct kernel_context *context,
		 struct kernel_context *shown, const void *info,
		 const struct kernel_sigaction *action)
{
	struct signal_frame *frame = (struct signal_frame *)places->frame;
	uint64_t vector = vector_registers(context, &frame->floating_point);

	(void)action;
	return gadget_copy(&frame->context, shown, sizeof(*shown)) == 0 &&
	       gadget_copy(&frame->floating_point, frame_state(context), state_bytes(context)) ==
		   0 &&
	       (vector == 0 || gadget_copy((uint8_t *)&frame->floating_point.first + VECTOR_POINTER,
					   &vector, sizeof(vector)) == 0) &&
	       (info == NULL || gadget_copy(frame->info, info, sizeof(frame->info)) == 0);
}

/* Copies a context with so many bytes of state, which may lack the extension that ends them. */
static void copy_with_state(struct kernel_context *to, const struct kernel_context *from,
			    uint64_t state)
{
	uint64_t vector = vector_registers(from, frame_state(to));

	bytes_copy(to, from, sizeof(*from) + state);
	if (vector != 0)
		bytes_copy((uint8_t *)&frame_state(to)->first + VECTOR_POINTER, &vector,
			   sizeof(vector));
}

struct signal_frame *frame_copy(const struct frame_places *places,
				const struct kernel_context *context)
{
	struct signal_frame *frame = (struct signal_frame *)places->frame;

	copy_with_state(&frame->context, context, state_bytes(context));
	return frame;
}

/*
 * rt_sigreturn reads registers and fcsr, and the vector registers if the thread has used some
 * (restore_sigcontext in the kernel). A frame that was made before that has none. Then they keep
 * the values that the call gives them.
 */
bool frame_take_state(struct kernel_context *context, const struct kernel_context *from)
{
	struct kernel_floating_point *state = frame_state(context);
	const struct kernel_floating_point *theirs = frame_state(from);
	uint8_t *vector = (uint8_t *)&state->first + VECTOR_BYTES;
	struct kernel_extension first;
	uint64_t place;

	if (gadget_copy(state, theirs, offsetof(struct kernel_floating_point, unused)) != 0 ||
	    gadget_copy(&first, &theirs->first, sizeof(first)) != 0)
		return false;
	if (first.magic == 0)
		return first.bytes == 0;
	if (first.magic != state->first.magic || first.bytes != state->first.bytes)
		return false;
	return gadget_copy(&state->first, &theirs->first, VECTOR_POINTER) == 0 &&
	       gadget_copy(&place, (const uint8_t *)&theirs->first + VECTOR_POINTER,
			   sizeof(place)) == 0 &&
	       gadget_copy(vector, (const void *)place, first.bytes - VECTOR_BYTES) == 0;
}

/* The word on the page is the extension that ends the frame, which rt_sigreturn reads last. */
struct kernel_context *frame_last(uint64_t page, const struct kernel_context *context)
{
	uint64_t state = state_bytes(context) - sizeof(struct kernel_extension);
	struct kernel_context *last = (struct kernel_context *)(page - state) - 1;

	if (offsetof(struct signal_frame, context) + sizeof(*last) + state > PAGE_BYTES) {
		bytes_fill((void *)page, 0, sizeof(uint64_t));
		return (struct kernel_context *)context;
	}
	copy_with_state(last, context, state);
	return last;
}

bool frame_has_keys(const struct kernel_context *context)
{
	(void)context;
	return false;
}

/* The kernel leaves every other register as it was in the interrupted code. */
void frame_begin_handler(struct kernel_context *context, const struct frame_places *places,
			 int number, const struct kernel_sigaction *action)
{
	struct kernel_registers *registers = &context->registers;

	registers->ra = frame_return;
	registers->pc = (uint64_t)action->handler;
	registers->sp = places->frame;
	registers->a[0] = (uint64_t)number;
	registers->a[1] = places->frame + offsetof(struct signal_frame, info);
	registers->a[2] = places->frame + offsetof(struct signal_frame, context);
}
