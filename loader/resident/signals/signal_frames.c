/*
 * Signal frames on the program's stacks, as get_sigframe, rt_sigreturn and do_sigaltstack in the
 * kernel.
 */
#include "loader/resident/signals/signal_frames.h"

#include "loader/resident/arch/call.h"
#include "loader/resident/arch/fault.h"
#include "loader/resident/arch/frame.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/base/trace.h"

#include <errno.h>
#include <stddef.h>

static bool is_inside(const struct kernel_stack *stack, uint64_t pointer)
{
	return pointer > stack->start && pointer - stack->start <= stack->bytes;
}

int frame_stack_state(const struct thread *thread, uint64_t pointer)
{
	if (thread->stack.bytes == 0)
		return SS_DISABLE;
	if (thread->stack.flags & KERNEL_SS_AUTODISARM)
		return 0;
	return is_inside(&thread->stack, pointer) ? SS_ONSTACK : 0;
}

long frame_set_stack(struct thread *thread, const struct kernel_stack *stack, uint64_t pointer)
{
	int mode = stack->flags & ~KERNEL_SS_AUTODISARM;

	if (frame_stack_state(thread, pointer) == SS_ONSTACK)
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

static bool find_places(const struct thread *thread, const struct kernel_context *context,
			uint64_t flags, struct frame_places *places)
{
	uint64_t pointer = registers_stack(&context->registers);
	bool nested = frame_stack_state(thread, pointer) == SS_ONSTACK, entering = false;

	pointer -= RED_ZONE_BYTES;
	if ((flags & KERNEL_SA_ONSTACK) && frame_stack_state(thread, pointer) == 0) {
		pointer = thread->stack.start + thread->stack.bytes;
		entering = true;
	}
	*places = frame_places_below(pointer, context);
	return !((entering && FRAME_STARTS_INSIDE) || (nested && FRAME_NESTS_INSIDE)) ||
	       is_inside(&thread->stack, places->frame);
}

struct signal_frame *frame_of_child(const struct thread *child,
				    const struct kernel_context *context)
{
	struct frame_places places = frame_places_below((uint64_t)child, context);
	struct signal_frame *frame = frame_copy(&places, context);

	frame->context.stack = thread_stack(child);
	call_set_result(&frame->context.registers, 0);
	return frame;
}

/*
 * The kernel remembers the processor's last exception. That may have been for a page hidden by the
 * loader, which the program must not see. So the frame shows the program's own last exception.
 */
static void show_last_exception(struct thread *thread, struct kernel_registers *registers,
				const struct arrival *arrival)
{
	const siginfo_t *info = arrival->info;

	if (info->si_code > 0 && (KERNEL_SIGNAL_BIT(arrival->number) & EXCEPTION_SIGNALS))
		exception_keep(&thread->exception, info, registers);
	exception_show(&thread->exception, registers);
}

/* The signals that are blocked in a handler of the program, if `mask` was blocked before. */
static uint64_t handler_mask(uint64_t mask, const struct kernel_sigaction *action, int number)
{
	mask |= action->mask;
	return action->flags & KERNEL_SA_NODEFER ? mask : mask | KERNEL_SIGNAL_BIT(number);
}

bool frame_push(struct thread *thread, struct kernel_context *context,
		const struct arrival *arrival, const struct kernel_sigaction *action, uint64_t mask)
{
	const void *info = frame_has_info(action) ? arrival->info : NULL;
	struct kernel_context shown = *context;
	struct frame_places places;

	if (!frame_can_return(action) || !find_places(thread, context, action->flags, &places))
		return false;
	shown.mask = context->mask | thread->blocked;
	show_last_exception(thread, &shown.registers, arrival);
	shown.stack = thread->stack;
	if (!frame_write(&places, context, &shown, info, action))
		return false;

	trace(TRACE_SIGNAL, arrival->number, (uint64_t)action->handler, 0,
	      registers_place(&context->registers));
	if (thread->stack.flags & KERNEL_SS_AUTODISARM)
		thread->stack = (struct kernel_stack){.flags = SS_DISABLE};
	mask = handler_mask(mask, action, arrival->number);
	context->mask = mask & ~MANAGED_SIGNALS;
	thread->blocked = mask & MANAGED_SIGNALS;
	frame_begin_handler(context, &places, arrival->number, action);
	return true;
}

bool frame_pop(struct thread *thread, struct kernel_context *context, uint64_t stack)
{
	const struct kernel_context *frame = frame_returned(stack);
	struct kernel_context shown;
	uint64_t outside, bytes;

	if (gadget_copy(&shown, frame, sizeof(shown)) != 0 || !frame_take_state(context, frame))
		return false;
	thread->blocked = shown.mask & MANAGED_SIGNALS;
	/* An error is ignored, as in the kernel. */
	frame_set_stack(thread, &shown.stack,
			resident_threads.stack_first ? stack : registers_stack(&shown.registers));
	shown.mask &= ~MANAGED_SIGNALS;
	shown.stack = thread_stack(thread);
	outside = frame_outside(&shown, &bytes);
	if (outside != 0)
		pages_reveal(&resident_pager, outside, bytes);
	*context = shown;
	return true;
}
