/*
 * The system calls for signals, answered from what the program asked for. The order of checks and
 * effects follows kernel/signal.c.
 */
#include "loader/resident/signals/signal_calls.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/base/order.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/signals/signal_frames.h"
#include "loader/resident/threads/lock.h"

#include <errno.h>
#include <stddef.h>

/* Flags that the kernel keeps and returns (UAPI_SA_FLAGS). */
#define KNOWN_FLAGS                                                                                \
	(KERNEL_SA_NOCLDSTOP | KERNEL_SA_NOCLDWAIT | KERNEL_SA_SIGINFO | KERNEL_SA_EXPOSE |        \
	 KERNEL_SA_RESTORER | KERNEL_SA_ONSTACK | KERNEL_SA_RESTART | KERNEL_SA_NODEFER |          \
	 KERNEL_SA_RESETHAND)

/* Flags that the kernel must have, because it acts on them before it calls a handler. */
#define KERNEL_DECIDES                                                                             \
	(KERNEL_SA_NOCLDSTOP | KERNEL_SA_NOCLDWAIT | KERNEL_SA_RESTART | KERNEL_SA_RESETHAND |     \
	 KERNEL_SA_EXPOSE)

#define NOT_BLOCKABLE (KERNEL_SIGNAL_BIT(SIGKILL) | KERNEL_SIGNAL_BIT(SIGSTOP))

/*
 * The loader's handler that replaces a handler of the program with these flags. A managed signal
 * that is sent restarts a system call only if the program's handler would. No signal may interrupt
 * the handlers of SIGSEGV and SIGBUS: see FAULT_SIGNALS.
 */
static struct kernel_sigaction our_action(int number, bool managed, uint64_t flags)
{
	struct kernel_sigaction action = {
	    .handler = managed ? gadget_on_managed : gadget_on_signal,
	    .flags = (flags & (managed ? KERNEL_SA_RESTART | KERNEL_SA_EXPOSE : KERNEL_DECIDES)) |
		     KERNEL_SA_SIGINFO | KERNEL_SA_ONSTACK,
	    .mask = managed && number != CALL_SIGNAL ? UINT64_MAX : OUR_MASK,
	};

	kernel_sigaction_set_restorer(&action, gadget_restore_signal);
	return action;
}

static bool is_function(const struct kernel_sigaction *action)
{
	return action->handler != KERNEL_SIG_DFL && action->handler != KERNEL_SIG_IGN;
}

/*
 * Sets an action. The kernel has the loader's handler for every signal that the program handles,
 * and always for managed signals. An ignored managed signal must not even shorten a transfer. Only
 * the kernel can ensure that, so the caller has ended lazy paging before.
 */
static long set_action_locked(struct process *process, int number, bool managed,
			      const struct kernel_sigaction *new, struct kernel_sigaction *old)
{
	const struct kernel_sigaction *real = managed ? NULL : new;
	struct kernel_sigaction ours;
	long result;

	if (new != NULL && is_function(new)) {
		ours = our_action(number, managed, new->flags);
		real = &ours;
	}
	result = kernel_action(number, real, old);
	if (result != 0)
		return result;
	/* With SA_RESETHAND the kernel may have reset its handler; it keeps flags and mask then. */
	if (process->wrapped & KERNEL_SIGNAL_BIT(number))
		*old = process->actions[number];
	if (new == NULL)
		return 0;
	process->actions[number] = *new;
	if (real == &ours)
		process->wrapped |= KERNEL_SIGNAL_BIT(number);
	else if (real == new)
		process->wrapped &= ~KERNEL_SIGNAL_BIT(number);
	return 0;
}

static long call_sigaction(struct thread *thread, const struct call *call)
{
	int number = (int)call->arguments[0];
	bool managed = is_managed(number);
	struct kernel_sigaction new = {.flags = 0}, old = {.flags = 0};
	struct kernel_sigaction *wanted = call->arguments[1] != 0 ? &new : NULL;
	long result;

	if (call->arguments[3] != KERNEL_SIGSET_SIZE)
		return -EINVAL;
	if (wanted != NULL && gadget_copy(&new, (const void *)call->arguments[1], sizeof(new)) != 0)
		return -EFAULT;
	new.mask &= ~NOT_BLOCKABLE;
	new.flags &= KNOWN_FLAGS;
	/* Called before process.lock is taken: pager.lock comes first in the lock order. */
	if (wanted != NULL && managed && new.handler == KERNEL_SIG_IGN && !order_is_active())
		laziness_end(RETIRE_SIGNAL, 0);
	lock_take(&thread->process->lock);
	result = set_action_locked(thread->process, number, managed, wanted, &old);
	lock_release(&thread->process->lock);
	if (result == 0 && call->arguments[2] != 0)
		result = gadget_copy((void *)call->arguments[2], &old, sizeof(old));
	return result;
}

/*
 * Whether a mask blocks a managed signal deliberately. A program that blocks all signals does so
 * for a moment, or in a thread that handles none. A program that blocks a managed signal among few
 * others expects that signal, and expects that it interrupts nothing.
 */
static bool blocks_by_name(uint64_t mask)
{
	uint64_t common = KERNEL_SIGNAL_BIT(SIGINT) | KERNEL_SIGNAL_BIT(SIGTERM) |
			  KERNEL_SIGNAL_BIT(SIGUSR1) | KERNEL_SIGNAL_BIT(SIGCHLD);

	return (mask & MANAGED_SIGNALS) != 0 && (mask & common) != common;
}

static long call_sigprocmask(struct thread *thread, const struct call *call, uint64_t *mask)
{
	uint64_t old = *mask | thread->blocked, new = old, set;

	if (call->arguments[3] != KERNEL_SIGSET_SIZE)
		return -EINVAL;
	if (call->arguments[1] != 0) {
		if (gadget_copy(&set, (const void *)call->arguments[1], sizeof(set)) != 0)
			return -EFAULT;
		set &= ~NOT_BLOCKABLE;
		switch ((int)call->arguments[0]) {
		case SIG_BLOCK:
			new = old | set;
			break;
		case SIG_UNBLOCK:
			new = old & ~set;
			break;
		case SIG_SETMASK:
			new = set;
			break;
		default:
			return -EINVAL;
		}
	}
	*mask = new & ~MANAGED_SIGNALS;
	thread->blocked = new &MANAGED_SIGNALS;
	if (blocks_by_name(new) && !order_is_active())
		laziness_end(RETIRE_SIGNAL, 0);
	return call->arguments[2] == 0 ? 0
				       : gadget_copy((void *)call->arguments[2], &old, sizeof(old));
}

/*
 * Answers rt_sigpending. The kernel's answer includes signals that only the loader's handler
 * blocks. It lacks managed signals that arrived while the handler ran, for example one that another
 * thread has just sent.
 */
static long call_sigpending(const struct thread *thread, const struct call *call, uint64_t mask)
{
	uint64_t set = 0;

	if (call->arguments[1] > KERNEL_SIGSET_SIZE)
		return -EINVAL;
	raw_syscall2(SYS_rt_sigpending, (uint64_t)&set, KERNEL_SIGSET_SIZE);
	set =
	    (set & mask) | (__atomic_load_n(&thread->deferred, __ATOMIC_RELAXED) & thread->blocked);
	return gadget_copy((void *)call->arguments[0], &set, call->arguments[1]);
}

static long call_sigaltstack(struct thread *thread, const struct call *call)
{
	struct kernel_stack new, old;
	long result;

	bytes_clear(&old, sizeof(old)); /* clears the padding too, as the kernel does */
	old.start = thread->stack.start;
	old.bytes = thread->stack.bytes;
	old.flags =
	    frame_stack_state(thread, call->stack) | (thread->stack.flags & KERNEL_SS_AUTODISARM);
	if (call->arguments[0] != 0) {
		if (gadget_copy(&new, (const void *)call->arguments[0], sizeof(new)) != 0)
			return -EFAULT;
		result = frame_set_stack(thread, &new, call->stack);
		if (result != 0)
			return result;
	}
	return call->arguments[1] == 0 ? 0
				       : gadget_copy((void *)call->arguments[1], &old, sizeof(old));
}

long signal_call(struct thread *thread, const struct call *call, uint64_t *mask)
{
	switch (call->number) {
	case SYS_rt_sigaction:
		return call_sigaction(thread, call);
	case SYS_rt_sigprocmask:
		return call_sigprocmask(thread, call, mask);
	case SYS_rt_sigpending:
		return call_sigpending(thread, call, *mask);
	default:
		return call_sigaltstack(thread, call);
	}
}

static long install_managed(int number, struct kernel_sigaction *old)
{
	struct kernel_sigaction ours = our_action(number, true, KERNEL_SA_RESTART);

	return kernel_action(number, &ours, old);
}

bool signal_calls_arm(struct process *process, bool system_calls)
{
	unsigned count = system_calls ? managed_count() : 1; /* SIGSEGV is the first one */
	long result = 0;

	for (unsigned i = 0; i < count; i++)
		result |= install_managed(managed_signal(i), &process->actions[managed_signal(i)]);
	process->wrapped = MANAGED_SIGNALS;
	return result == 0;
}

/*
 * As flush_signal_handlers in the kernel, which found the loader's handlers for the managed
 * signals.
 */
void signal_calls_rearm(struct process *process)
{
	for (unsigned i = 0; i < managed_count(); i++) {
		struct kernel_sigaction *action = &process->actions[managed_signal(i)];
		bool ignored = action->handler == KERNEL_SIG_IGN;

		*action =
		    (struct kernel_sigaction){.handler = ignored ? KERNEL_SIG_IGN : KERNEL_SIG_DFL};
		install_managed(managed_signal(i), NULL);
	}
	process->wrapped = MANAGED_SIGNALS;
}
