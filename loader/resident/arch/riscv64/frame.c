/* Signal frames of riscv64, as get_sigframe and setup_rt_frame in the kernel. */
#include "loader/resident/arch/frame.h"

#include "common/arch/bytes.h"
#include "loader/resident/arch/gadget.h"

#include <stddef.h>

#define EXTENSION_VECTOR 0x53465457

/* The pointer to the vector registers, in the extension (struct __riscv_v_ext_state). */
#define VECTOR_POINTER (sizeof(struct kernel_extension) + 5 * sizeof(uint64_t))
#define VECTOR_BYTES   (VECTOR_POINTER + sizeof(uint64_t))

uint64_t frame_return;

/* A context of a signal frame is followed by its floating-point state. */
static const struct kernel_floating_point *state_of(const struct kernel_context *context)
{
	return (const struct kernel_floating_point *)(context + 1);
}

/* The length of the floating-point state and of all extensions, with the one that ends them. */
static uint64_t state_bytes(const struct kernel_context *context)
{
	const struct kernel_extension *first = &state_of(context)->first, *at = first;

	while (at->magic != 0)
		at = (const struct kernel_extension *)((const uint8_t *)at + at->bytes);
	return (uint64_t)(at + 1) - (uint64_t)state_of(context);
}

struct frame_places frame_places_below(uint64_t address, const struct kernel_context *context)
{
	uint64_t length = offsetof(struct signal_frame, floating_point) + state_bytes(context);

	return (struct frame_places){.frame = (address - length) & ~UINT64_C(15)};
}

/* Where the vector registers are in a frame; 0 if the context has none. */
static uint64_t vector_registers(const struct kernel_context *context, struct signal_frame *frame)
{
	return state_of(context)->first.magic == EXTENSION_VECTOR
		   ? (uint64_t)&frame->floating_point.first + VECTOR_BYTES
		   : 0;
}

bool frame_write(const struct frame_places *places, const struct kernel_context *context,
		 struct kernel_context *shown, const void *info,
		 const struct kernel_sigaction *action)
{
	struct signal_frame *frame = (struct signal_frame *)places->frame;
	uint64_t vector = vector_registers(context, frame);

	(void)action;
	return gadget_copy(&frame->context, shown, sizeof(*shown)) == 0 &&
	       gadget_copy(&frame->floating_point, state_of(context), state_bytes(context)) == 0 &&
	       (vector == 0 || gadget_copy((uint8_t *)&frame->floating_point.first + VECTOR_POINTER,
					   &vector, sizeof(vector)) == 0) &&
	       (info == NULL || gadget_copy(frame->info, info, sizeof(frame->info)) == 0);
}

struct signal_frame *frame_copy(const struct frame_places *places,
				const struct kernel_context *context)
{
	struct signal_frame *frame = (struct signal_frame *)places->frame;
	uint64_t vector = vector_registers(context, frame);

	bytes_copy(&frame->context, context, sizeof(*context) + state_bytes(context));
	if (vector != 0)
		bytes_copy((uint8_t *)&frame->floating_point.first + VECTOR_POINTER, &vector,
			   sizeof(vector));
	return frame;
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
