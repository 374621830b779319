/* Signal frames of x86-64, as get_sigframe and setup_rt_frame in the kernel. */
#include "loader/resident/arch/frame.h"

#include "common/arch/bytes.h"
#include "common/arch/machine.h"
#include "loader/resident/arch/gadget.h"

#include <cpuid.h>
#include <stddef.h>

/* The length of an XSAVE area, or of the shorter form. */
static uint64_t floating_point_length(uint64_t area)
{
	uint32_t magic = *(const uint32_t *)(area + FLOATING_POINT_MAGIC);

	return magic == FLOATING_POINT_IS_EXTENDED
		   ? *(const uint32_t *)(area + FLOATING_POINT_LENGTH)
		   : FLOATING_POINT_BYTES;
}

struct frame_places frame_places_below(uint64_t rsp, const struct kernel_context *context)
{
	struct frame_places places = {.floating_point = 0};
	uint64_t area = context->registers.floating_point;

	if (area != 0) {
		rsp = (rsp - floating_point_length(area)) & ~UINT64_C(63);
		places.floating_point = rsp;
	}
	rsp -= sizeof(struct signal_frame);
	rsp = (rsp & ~UINT64_C(15)) - 8;
	places.frame = rsp;
	return places;
}

bool frame_write(const struct frame_places *places, const struct kernel_context *context,
		 struct kernel_context *shown, const void *info,
		 const struct kernel_sigaction *action)
{
	struct signal_frame *frame = (struct signal_frame *)places->frame;
	uint64_t area = context->registers.floating_point;

	shown->registers.old_mask = shown->mask;
	shown->registers.floating_point = places->floating_point;
	if (area != 0 && gadget_copy((void *)places->floating_point, (const void *)area,
				     floating_point_length(area)) != 0)
		return false;
	return gadget_copy(&frame->context, shown, sizeof(*shown)) == 0 &&
	       (info == NULL || gadget_copy(frame->info, info, sizeof(frame->info)) == 0) &&
	       gadget_copy(&frame->return_address, &action->restorer, sizeof(action->restorer)) ==
		   0;
}

struct signal_frame *frame_copy(const struct frame_places *places,
				const struct kernel_context *context)
{
	struct signal_frame *frame = (struct signal_frame *)places->frame;
	uint64_t area = context->registers.floating_point;

	if (area != 0)
		bytes_copy((void *)places->floating_point, (const void *)area,
			   floating_point_length(area));
	frame->context = *context;
	frame->context.registers.floating_point = places->floating_point;
	return frame;
}

static bool is_extended(uint64_t area)
{
	return area != 0 &&
	       *(const uint32_t *)(area + FLOATING_POINT_MAGIC) == FLOATING_POINT_IS_EXTENDED;
}

bool frame_has_keys(const struct kernel_context *context)
{
	uint64_t area = context->registers.floating_point;

	return is_extended(area) &&
	       (*(const uint64_t *)(area + FLOATING_POINT_ENABLED) & COMPONENT_PROTECTION_KEYS);
}

/*
 * The kernel starts every handler with the same rights to protection keys. This handler of the
 * loader has them now, so the program's handler gets a copy. The processor reports where they are
 * in the area.
 */
static void reset_key_rights(uint64_t area)
{
	static uint32_t offset; /* static, so that the processor is asked once */
	uint32_t eax, ecx, edx, rights;

	if (offset == 0)
		__cpuid_count(0xd, COMPONENT_OF_KEYS, eax, offset, ecx, edx);
	__asm__ volatile("rdpkru" : "=a"(rights), "=d"(edx) : "c"(0));
	*(uint32_t *)(area + offset) = rights;
	*(uint64_t *)(area + FLOATING_POINT_COMPONENTS) |= COMPONENT_PROTECTION_KEYS;
}

/* A handler starts with the x87, SSE and AVX state of a new program. */
static void reset_floating_point(uint64_t area)
{
	if (!is_extended(area))
		return;
	*(uint64_t *)(area + FLOATING_POINT_COMPONENTS) &= COMPONENT_PROTECTION_KEYS;
	*(uint32_t *)(area + FLOATING_POINT_MXCSR) = INITIAL_MXCSR;
	if (gadget_has_keys)
		reset_key_rights(area);
}

/* A handler keeps the stack segment if it is a writable data segment (force_valid_ss). */
static uint16_t valid_stack_segment(uint16_t selector)
{
	uint32_t rights = 0;

	if (selector != USER_DATA_SELECTOR)
		__asm__("lar %1, %0" : "+r"(rights) : "r"((uint32_t)selector) : "cc");
	rights &= SEGMENT_KIND;
	return rights == SEGMENT_DATA || rights == SEGMENT_DATA_DOWN ? selector
								     : USER_DATA_SELECTOR;
}

void frame_begin_handler(struct kernel_context *context, const struct frame_places *places,
			 int number, const struct kernel_sigaction *action)
{
	struct kernel_registers *registers = &context->registers;

	reset_floating_point(registers->floating_point);
	registers->rip = (uint64_t)action->handler;
	registers->rsp = places->frame;
	registers->rdi = (uint64_t)number;
	registers->rsi = places->frame + offsetof(struct signal_frame, info);
	registers->rdx = places->frame + offsetof(struct signal_frame, context);
	registers->rax = 0;
	registers->cs = USER_CODE_SELECTOR;
	registers->ss = valid_stack_segment(registers->ss);
	registers->rflags &= ~(RFLAGS_TRAP | RFLAGS_DIRECTION | RFLAGS_RESUME);
}

bool frame_take_state(struct kernel_context *context, const struct kernel_context *from)
{
	(void)context;
	(void)from;
	return true;
}

/*
 * With flags of zero the kernel replaces a stack segment that is no longer valid (force_valid_ss in
 * arch/x86/kernel/signal_64.c). The usual segment is always valid.
 */
static bool needs_flags(const struct kernel_context *context)
{
	return context->registers.ss != USER_DATA_SELECTOR;
}

/*
 * The words on the page are `flags`, which rt_sigreturn reads, and `link`. For almost every context
 * flags of zero are equivalent; if not, the flags are written.
 */
struct kernel_context *frame_last(uint64_t page, const struct kernel_context *context)
{
	uint64_t offset = offsetof(struct kernel_context, stack);
	struct kernel_context *last = (struct kernel_context *)(page + PAGE_BYTES - offset);

	bytes_copy(&last->stack, &context->stack, sizeof(*last) - offset);
	if (needs_flags(context))
		last->flags = context->flags;
	return last;
}
