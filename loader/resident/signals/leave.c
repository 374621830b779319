#include "loader/resident/signals/parts.h"

#include "common/arch/x86_64/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/trace.h"

#include <stddef.h>
#include <time.h>

/*
 * A SIGSEGV with the address of resident_pager brings a thread into a handler of ours. The kernel
 * drops it if another SIGSEGV is pending: then that one brings the thread there. SIGSYS will not
 * do: as long as one is pending, the kernel drops the next, and with it the news of a system call;
 * while a fault whose SIGSEGV is dropped happens again.
 */
#define REQUEST SIGSEGV

/* How often whoever goes last looks, at most, before it sleeps a millisecond between two looks. */
#define YIELDS 100

void leave_ask(int32_t group, int32_t id)
{
	siginfo_t info = {.si_signo = REQUEST, .si_code = SI_QUEUE};

	info.si_value.sival_ptr = &resident_pager;
	raw_syscall6(SYS_rt_tgsigqueueinfo, (uint64_t)group, (uint64_t)id, REQUEST, (uint64_t)&info,
		     0, 0);
}

static void ask(struct thread *thread)
{
	leave_ask(thread->group, thread->id);
}

/*
 * With RLIMIT_SIGPENDING exhausted the kernel delivers the signal without what came with it: from
 * nobody (__send_signal_locked in kernel/signal.c).
 */
bool leave_is_request(const struct thread *thread, const siginfo_t *info)
{
	if (info->si_code == SI_USER && info->si_pid == 0 && thread != NULL)
		return thread->process->state == PROCESS_LEAVING;
	return info->si_code == SI_QUEUE && info->si_value.sival_ptr == &resident_pager;
}

bool leave_begin(struct thread *thread)
{
	return state_begin_leaving(thread->process, thread, ask);
}

/*
 * A request that has been sent to the caller must not be pending any more when the program has its
 * handlers. It has been sent by the time that the process is LEAVING and the lock is free again. So
 * the kernel delivers it here at the latest, on the way back from unblocking it, and our handler,
 * interrupting us, drops it. Afterwards all signals are blocked, until the program's mask is back.
 */
static void take_back_request(void)
{
	kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
	kernel_mask(SIG_BLOCK, MANAGED_SIGNALS);
}

/*
 * All threads have left: each sleeps, in a handler, with all signals blocked, or has exited. The
 * kernel gets the program's handlers back. If the caller is killed in here, another thread begins
 * anew, which changes nothing that has been restored.
 */
static void restore(struct process *process)
{
	for (int number = 1; number <= SIGNAL_MAX; number++)
		if (process->wrapped & KERNEL_SIGNAL_BIT(number))
			kernel_action(number, &process->actions[number], NULL);
	process->wrapped = 0;
}

static void wait_for_process(struct process *process)
{
	for (state_finish(process, restore); !state_wait(process); state_finish(process, restore))
		state_bury_dead(process);
}

static void sleep_a_moment(void)
{
	static const struct timespec moment = {.tv_nsec = 1000 * 1000};

	raw_syscall2(SYS_nanosleep, (uint64_t)&moment, 0);
}

static void wait_for_others(const struct thread *thread)
{
	for (unsigned i = 0; state_others_are_leaving(thread); i++)
		if (i < YIELDS)
			raw_syscall0(SYS_sched_yield);
		else
			sleep_a_moment();
}

void leave(struct thread *thread, struct kernel_context *context, bool sets_filter)
{
	bool began = leave_begin(thread);

	/* Not yet ended where another process has asked (tracees.c). */
	laziness_end(&resident_pager, RETIRE_CALL, SYS_ptrace);
	take_back_request();
	deferred_give_away(thread);
	context->stack = thread->stack;
	context->mask |= thread->blocked;
	thread_intercept(thread, false);
	state_leave(thread);
	wait_for_process(thread->process);
	/* LEAVING meanwhile, so that another thread's filter waits for the calls that this takes.
	 */
	if (began)
		wait_for_others(thread);
	state_go(thread);
	if (!sets_filter)
		return;
	wait_for_others(thread);
	/* Between its last step and its rt_sigreturn another thread needs a microsecond. */
	sleep_a_moment();
}

_Noreturn void leave_by_exit(struct thread *thread, uint64_t status)
{
	trace(TRACE_THREAD_EXIT, 0, 0, 0, 0);
	deferred_give_away(thread);
	state_leave(thread);
	state_finish(thread->process, restore);
	state_exit(thread);
	for (;;)
		raw_syscall1(SYS_exit, status);
}
