#include "loader/resident/leaving/leave.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/pager/rewrite.h"
#include "loader/resident/signals/deferred.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/threads/shared.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/base/trace.h"

#include <signal.h>
#include <stddef.h>
#include <sys/uio.h>
#include <time.h>

/*
 * The request is a SIGSEGV with the address of resident_pager, which brings a thread into a handler
 * of the loader. If another SIGSEGV is pending, the kernel drops the request, and the pending one
 * brings the thread there. SIGSYS cannot be used: while one is pending, the kernel drops the next,
 * and with it the report of a system call. A fault whose SIGSEGV is dropped happens again.
 */
#define REQUEST SIGSEGV

/*
 * A thread that waits for its turn yields YIELDS times, and then sleeps BETWEEN_NS between two
 * checks.
 */
#define YIELDS	   4
#define BETWEEN_NS (50 * 1000)
#define MOMENT_NS  (1000 * 1000)

void leave_ask(int32_t group, int32_t id)
{
	siginfo_t info = {.si_signo = REQUEST, .si_code = SI_QUEUE};

	info.si_value.sival_ptr = &resident_pager;
	raw_syscall6(SYS_rt_tgsigqueueinfo, (uint64_t)group, (uint64_t)id, REQUEST, (uint64_t)&info,
		     0, 0);
}

static void ask(struct thread *thread)
{
	leave_ask(thread->group, shared_read(thread->id));
}

/*
 * If RLIMIT_SIGPENDING is exhausted, the kernel delivers the signal without its siginfo: si_code is
 * SI_USER and the sender is 0 (__send_signal_locked in kernel/signal.c).
 */
bool leave_is_request(const struct thread *thread, const siginfo_t *info)
{
	if (info->si_code == SI_USER && info->si_pid == 0 && thread != NULL)
		return shared_read(thread->process->state) == PROCESS_LEAVING;
	return info->si_code == SI_QUEUE && info->si_value.sival_ptr == &resident_pager;
}

bool leave_begin(struct thread *thread)
{
	return state_begin_leaving(thread->process, thread, ask);
}

/*
 * A request that was sent to the caller must not be pending when the program has its handlers back.
 * It has been sent by the time that the process is LEAVING and the lock is free again. So the
 * kernel delivers it no later than here, on the way back from unblocking it. The loader's handler
 * interrupts this code and drops it. Afterwards all signals are blocked until the program's mask is
 * back.
 */
static void take_back_request(void)
{
	kernel_mask(SIG_UNBLOCK, FAULT_SIGNALS);
	kernel_mask(SIG_BLOCK, MANAGED_SIGNALS);
}

/*
 * Gives the kernel the program's handlers back. All threads have left: each sleeps in a handler
 * with all signals blocked, or has exited. If the caller is killed in here, another thread starts
 * again, and does not change what has been restored already.
 */
static void restore(struct process *process)
{
	for (int number = 1; number <= SIGNAL_MAX; number++)
		if (process->wrapped & KERNEL_SIGNAL_BIT(number))
			kernel_action(number, &process->actions[number], NULL);
	process->wrapped = 0;
	if (REWRITES)
		rewrite_end(&resident_pager);
}

static void wait_for_process(struct process *process)
{
	for (state_finish(process, restore); !state_wait(process); state_finish(process, restore))
		state_bury_dead(process);
}

static void sleep_for(long nanoseconds)
{
	const struct timespec time = {.tv_nsec = nanoseconds};

	raw_syscall2(SYS_nanosleep, (uint64_t)&time, 0);
}

/*
 * Whether a thread's next call, a futex wait, will sleep. A wait on a word that has changed does
 * not. All other threads are LEAVING or have returned. The memory of the word may be missing.
 */
static bool will_sleep(const struct thread *thread, const struct call *call)
{
	uint32_t word = 0;
	struct iovec to = {&word, sizeof(word)}, from = {(void *)call->arguments[0], sizeof(word)};

	return raw_syscall6(SYS_process_vm_readv, (uint64_t)thread->id, (uint64_t)&to, 1,
			    (uint64_t)&from, 1, 0) == sizeof(word) &&
	       word == (uint32_t)call->arguments[2];
}

/*
 * Unblocks the signals that the kernel would drop: those that the program ignores, and those whose
 * default is to do nothing. If all threads blocked them, the kernel would keep them for the
 * process. Then they would wake another thread that sleeps in a call, and a transfer that has
 * started would end there. The kernel does keep those that the program blocks (`kept`).
 *
 * The actions are read without the lock. The process is NATIVE, so no thread of it is LAZY, and
 * only LAZY threads write them. state_finish() has taken the lock since the last write. An action
 * that the program has changed after that, in a thread that has returned, is not known here.
 */
static void unblock_dropped(const struct process *process, uint64_t kept)
{
	uint64_t quiet =
	    KERNEL_SIGNAL_BIT(SIGCHLD) | KERNEL_SIGNAL_BIT(SIGURG) | KERNEL_SIGNAL_BIT(SIGWINCH);
	uint64_t dropped = 0;

	for (int number = 1; number <= SIGNAL_MAX; number++) {
		void (*handler)(int, void *, void *) = process->actions[number].handler;

		if (handler == KERNEL_SIG_IGN ||
		    (handler == KERNEL_SIG_DFL && (quiet & KERNEL_SIGNAL_BIT(number)) != 0))
			dropped |= KERNEL_SIGNAL_BIT(number);
	}
	kernel_mask(SIG_UNBLOCK, dropped & ~MANAGED_SIGNALS & ~kept);
}

/*
 * Waits until the threads with earlier turns have returned. These run the program already. `mask`:
 * what the program blocks in this thread.
 */
static void wait_for_turn(const struct thread *thread, uint64_t mask)
{
	if (state_others_go_first(thread))
		unblock_dropped(thread->process, mask);
	for (unsigned i = 0; state_others_go_first(thread); i += i < YIELDS)
		if (i < YIELDS)
			raw_syscall0(SYS_sched_yield);
		else
			sleep_for(BETWEEN_NS);
	/*
	 * If the kernel does not show that other threads have returned, this sleep gives them time
	 * to.
	 */
	if (thread->turn == TURN_FILTERS && state_others_are(thread, THREAD_NATIVE))
		sleep_for(MOMENT_NS);
}

static void set_turn(struct thread *thread, enum leaving_turn turn, bool began)
{
	if (turn == TURN_GOES_ON && thread->id == thread->group)
		turn = TURN_MAIN;
	else if (turn == TURN_GOES_ON && began)
		turn = TURN_BEGAN;
	shared_write(thread->turn, (uint8_t)turn);
}

void leave(struct thread *thread, struct kernel_context *context, enum leaving_turn turn,
	   const struct call *call)
{
	bool began = leave_begin(thread);

	set_turn(thread, turn, began);
	take_back_request();
	deferred_give_away(thread);
	context->stack = thread->stack;
	context->mask |= thread->blocked;
	thread_intercept(thread, false);
	state_leave(thread);
	wait_for_process(thread->process);
	if (turn == TURN_SLEEPS && !will_sleep(thread, call))
		set_turn(thread, TURN_GOES_ON, began);
	wait_for_turn(thread, context->mask);
	/* Threads that wait for this thread stay LEAVING until it has returned. */
	shared_write(thread->awaited, state_others_are(thread, THREAD_LEAVING));
	if (thread->awaited)
		thread_empty_page(thread);
	state_go(thread);
}

void leave_before(struct thread *thread, struct kernel_context *context, enum leaving_turn turn,
		  const struct call *call)
{
	leave(thread, context, turn, call);
	call_back_up(&context->registers);
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
