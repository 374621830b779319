/* Signal frames on the program's stacks: get_sigframe, rt_sigreturn, do_sigaltstack in the kernel.
 */
#include "loader/resident/signals/signal_frames.h"

#include "common/arch/bytes.h"
#include "loader/resident/arch/fault.h"
#include "common/page.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/trace.h"

#include <cpuid.h>
#include <errno.h>

/* Length of an XSAVE area, or of the shorter form. */
static uint64_t floating_point_length(uint64_t area)
{
	uint32_t magic = *(const uint32_t *)(area + FLOATING_POINT_MAGIC);

	return magic == FLOATING_POINT_IS_EXTENDED
		   ? *(const uint32_t *)(area + FLOATING_POINT_LENGTH)
		   : FLOATING_POINT_BYTES;
}

static bool is_inside(const struct kernel_stack *stack, uint64_t rsp)
{
	return rsp > stack->start && rsp - stack->start <= stack->bytes;
}

int frame_stack_state(const struct thread *thread, uint64_t rsp)
{
	if (thread->stack.bytes == 0)
		return SS_DISABLE;
	if (thread->stack.flags & KERNEL_SS_AUTODISARM)
		return 0;
	return is_inside(&thread->stack, rsp) ? SS_ONSTACK : 0;
}

long frame_set_stack(struct thread *thread, const struct kernel_stack *stack, uint64_t rsp)
{
	int mode = stack->flags & ~KERNEL_SS_AUTODISARM;

	if (frame_stack_state(thread, rsp) == SS_ONSTACK)
		return -EPERM;
	if (mode != SS_DISABLE && mode != SS_ONSTACK && mode != 0)
		return -EINVAL;
	if (mode == SS_DISABLE) {
		thread->stack = (struct kernel_stack){.flags = stack->flags};
		return 0;
	}
	if (stack->start == thread->stack.start && stack->bytes == thread->stack.bytes &&
	    stack->flags == thread->stack.flags)
		return 0;
	if (stack->bytes < KERNEL_MINSIGSTKSZ)
		return -ENOMEM;
	thread->stack = *stack;
	return 0;
}

/* Where the parts of a new frame go. */
struct places {
	uint64_t floating_point; /* 0: there is none */
	uint64_t frame;
};

/* Below an address; `area` is the floating-point state that the frame takes a copy of, or 0. */
static struct places places_below(uint64_t rsp, uint64_t area)
{
	struct places places = {.floating_point = 0};

	if (area != 0) {
		rsp = (rsp - floating_point_length(area)) & ~UINT64_C(63);
		places.floating_point = rsp;
	}
	rsp -= sizeof(struct signal_frame);
	rsp = (rsp & ~UINT64_C(15)) - 8;
	places.frame = rsp;
	return places;
}

static bool find_places(const struct thread *thread, const struct kernel_context *context,
			uint64_t flags, struct places *places)
{
	uint64_t rsp = registers_stack(&context->registers);
	bool nested = frame_stack_state(thread, rsp) == SS_ONSTACK, entering = false;

	rsp -= RED_ZONE_BYTES;
	if ((flags & KERNEL_SA_ONSTACK) && frame_stack_state(thread, rsp) == 0) {
		rsp = thread->stack.start + thread->stack.bytes;
		entering = true;
	}
	*places = places_below(rsp, context->registers.floating_point);
	return !(nested || entering) || is_inside(&thread->stack, places->frame);
}

struct signal_frame *frame_of_child(const struct thread *child,
				    const struct kernel_context *context)
{
	uint64_t area = context->registers.floating_point;
	struct places places = places_below((uint64_t)child, area);
	struct signal_frame *frame = (struct signal_frame *)places.frame;

	if (area != 0)
		bytes_copy((void *)places.floating_point, (const void *)area,
			   floating_point_length(area));
	frame->context = *context;
	frame->context.stack = thread_stack(child);
	frame->context.registers.floating_point = places.floating_point;
	call_set_result(&frame->context.registers, 0);
	return frame;
}

static bool is_extended(uint64_t area)
{
	return area != 0 &&
	       *(const uint32_t *)(area + FLOATING_POINT_MAGIC) == FLOATING_POINT_IS_EXTENDED;
}

bool frame_has_keys(uint64_t area)
{
	return is_extended(area) &&
	       (*(const uint64_t *)(area + FLOATING_POINT_ENABLED) & COMPONENT_PROTECTION_KEYS);
}

/*
 * A handler has the rights to protection keys that every handler starts with: this one, of ours,
 * did, too. The processor says where they are in the area.
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

/* A handler starts with x87, SSE and AVX state as a new program has it. */
static void reset_floating_point(uint64_t area)
{
	if (!is_extended(area))
		return;
	*(uint64_t *)(area + FLOATING_POINT_COMPONENTS) &= COMPONENT_PROTECTION_KEYS;
	*(uint32_t *)(area + FLOATING_POINT_MXCSR) = INITIAL_MXCSR;
	if (gadget_has_keys)
		reset_key_rights(area);
}

/* What the place for a siginfo had stays there unless the handler has asked for one. */
static bool write_frame(const struct places *places, const struct kernel_context *context,
			const struct kernel_context *shown, const void *info,
			const struct kernel_sigaction *action)
{
	struct signal_frame *frame = (struct signal_frame *)places->frame;
	uint64_t area = context->registers.floating_point;

	if (area != 0 && gadget_copy((void *)places->floating_point, (const void *)area,
				     floating_point_length(area)) != 0)
		return false;
	return gadget_copy(&frame->context, shown, sizeof(*shown)) == 0 &&
	       (!(action->flags & KERNEL_SA_SIGINFO) ||
		gadget_copy(frame->info, info, sizeof(frame->info)) == 0) &&
	       gadget_copy(&frame->return_address, &action->restorer, sizeof(action->restorer)) ==
		   0;
}

/*
 * The processor's last exception, as the kernel remembers it: that may have been about a page of
 * ours, which the program knows nothing of. Such a fault is still remembered where the kernel
 * raises a signal by itself, as for a frame that rt_sigreturn refuses.
 */
static void show_last_fault(struct thread *thread, struct kernel_registers *registers,
			    const struct arrival *arrival)
{
	const siginfo_t *info = arrival->info;
	bool is_fault = registers->trap_number == FAULT_TRAP;

	if (info->si_code > 0 && (KERNEL_SIGNAL_BIT(arrival->number) & EXCEPTION_SIGNALS) &&
	    (!is_fault || is_about_fault(info, registers))) {
		thread->error_code = registers->error_code;
		thread->trap_number = registers->trap_number;
		if (is_fault)
			thread->fault_address = registers->fault_address;
	}
	registers->error_code = thread->error_code;
	registers->trap_number = thread->trap_number;
	registers->fault_address = thread->fault_address;
}

/* A handler keeps the stack segment, if it is one for data that can be written (force_valid_ss). */
static uint16_t valid_stack_segment(uint16_t selector)
{
	uint32_t rights = 0;

	if (selector != USER_DATA_SELECTOR)
		__asm__("lar %1, %0" : "+r"(rights) : "r"((uint32_t)selector) : "cc");
	rights &= SEGMENT_KIND;
	return rights == SEGMENT_DATA || rights == SEGMENT_DATA_DOWN ? selector
								     : USER_DATA_SELECTOR;
}

bool frame_push(struct thread *thread, struct kernel_context *context,
		const struct arrival *arrival, const struct kernel_sigaction *action, uint64_t mask)
{
	struct kernel_registers *registers = &context->registers;
	struct kernel_context shown = *context;
	struct places places;

	if (!(action->flags & KERNEL_SA_RESTORER) ||
	    !find_places(thread, context, action->flags, &places))
		return false;
	shown.mask = shown.registers.old_mask = context->mask | thread->blocked;
	show_last_fault(thread, &shown.registers, arrival);
	shown.stack = thread->stack;
	shown.registers.floating_point = places.floating_point;
	if (!write_frame(&places, context, &shown, arrival->info, action))
		return false;

	trace(TRACE_SIGNAL, arrival->number, (uint64_t)action->handler, 0,
	      registers_place(registers));
	if (thread->stack.flags & KERNEL_SS_AUTODISARM)
		thread->stack = (struct kernel_stack){.flags = SS_DISABLE};
	mask = frame_mask(mask, action, arrival->number);
	context->mask = mask & ~MANAGED_SIGNALS;
	thread->blocked = mask & MANAGED_SIGNALS;
	reset_floating_point(registers->floating_point);
	registers_set_place(registers, (uint64_t)action->handler);
	registers_set_stack(registers, places.frame);
	registers->rdi = (uint64_t)arrival->number;
	registers->rsi = places.frame + __builtin_offsetof(struct signal_frame, info);
	registers->rdx = places.frame + __builtin_offsetof(struct signal_frame, context);
	registers->rax = 0;
	registers->cs = USER_CODE_SELECTOR;
	registers->ss = valid_stack_segment(registers->ss);
	registers->rflags &= ~(RFLAGS_TRAP | RFLAGS_DIRECTION | RFLAGS_RESUME);
	return true;
}

bool frame_pop(struct thread *thread, struct kernel_context *context)
{
	struct kernel_context shown;
	uint64_t area;

	if (gadget_copy(&shown, (const void *)registers_stack(&context->registers),
			sizeof(shown)) != 0)
		return false;
	thread->blocked = shown.mask & MANAGED_SIGNALS;
	/* Whether it can be set is of no consequence, as in the kernel. */
	frame_set_stack(thread, &shown.stack,
			resident_threads.stack_first ? registers_stack(&context->registers)
						     : registers_stack(&shown.registers));
	shown.mask &= ~MANAGED_SIGNALS;
	shown.stack = thread_stack(thread);
	/* The kernel reads it from where the program has it. */
	area = shown.registers.floating_point;
	if (area != 0)
		pages_reveal(&resident_pager, area, PAGE_BYTES * 4);
	*context = shown;
	return true;
}
