#include "loader/resident/threads/states.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/threads/lock.h"

#include <stddef.h>
#include <time.h>

#ifdef CHECK_STATES
static void check_step(enum thread_state from, enum thread_state to)
{
#define STEP(before, after, by)                                                                    \
	if (from == THREAD_##before && to == THREAD_##after)                                       \
		return;
#include "loader/resident/threads/states.def"
	__builtin_trap();
}
#else
#define check_step(from, to)
#endif

static void step(struct thread *thread, enum thread_state to)
{
	check_step(thread->state, to);
	__atomic_store_n(&thread->state, to, __ATOMIC_SEQ_CST);
}

/* Whether a block is of a thread of the process that has still to leave. */
static bool has_to_leave(const struct thread *thread, const struct process *process)
{
	return thread->process == process &&
	       (thread->state == THREAD_BORN || thread->state == THREAD_LAZY ||
		thread->state == THREAD_EXECS);
}

/* Whether such a thread is there; not looked at is `except`, if not NULL. */
static bool some_have_to_leave(const struct process *process, const struct thread *except)
{
	const struct thread *thread;

	for (uint64_t i = 0; (thread = threads_at(i)) != NULL; i++)
		if (thread != except && has_to_leave(thread, process))
			return true;
	return false;
}

void state_new(struct thread *thread)
{
	check_step(thread->state, THREAD_BORN);
	/* Written before anything is read: a page that is read first costs two faults. */
	bytes_clear(thread, sizeof(*thread));
	__atomic_store_n(&thread->state, THREAD_BORN, __ATOMIC_SEQ_CST);
}

void state_free(struct thread *thread)
{
	step(thread, THREAD_FREE);
}

void state_name(struct thread *thread, long id)
{
	thread->id = (int32_t)id;
	__atomic_store_n(&thread->named, true, __ATOMIC_RELEASE);
}

void state_learn_ids(struct thread *thread)
{
	thread->id = (int32_t)raw_syscall0(SYS_gettid);
	thread->group = (int32_t)raw_syscall0(SYS_getpid);
}

void state_enter(struct thread *thread)
{
	state_learn_ids(thread);
	step(thread, THREAD_LAZY);
}

bool state_exec_begin(struct thread *thread)
{
	struct process *process = thread->process;
	bool begins;

	lock_take(&process->lock);
	begins = process->state == PROCESS_LAZY;
	if (begins)
		step(thread, THREAD_EXECS);
	lock_release(&process->lock);
	return begins;
}

void state_exec_failed(struct thread *thread)
{
	lock_take(&thread->process->lock);
	step(thread, THREAD_LAZY);
	lock_release(&thread->process->lock);
}

bool state_begin_leaving(struct process *process, const struct thread *except,
			 void (*ask)(struct thread *thread))
{
	struct thread *thread;
	bool begins;

	lock_take(&process->lock);
	begins = !process->asked;
	if (begins)
		__atomic_store_n(&process->state, PROCESS_LEAVING, __ATOMIC_SEQ_CST);
	for (uint64_t i = 0; begins && (thread = threads_at(i)) != NULL; i++)
		if (thread->process == process && thread != except && thread->state == THREAD_LAZY)
			ask(thread);
	process->asked = true;
	lock_release(&process->lock);
	return begins;
}

bool state_others_are_lazy(const struct thread *thread)
{
	return some_have_to_leave(thread->process, thread);
}

bool state_must_leave(const struct thread *thread)
{
	return __atomic_load_n(&thread->process->state, __ATOMIC_SEQ_CST) != PROCESS_LAZY &&
	       thread->state == THREAD_LAZY;
}

void state_leave(struct thread *thread)
{
	step(thread, THREAD_LEAVING);
}

void state_exit(struct thread *thread)
{
	step(thread, THREAD_GONE);
}

void state_bury_dead(struct process *process)
{
	struct thread *thread;

	lock_take(&process->lock);
	for (uint64_t i = 0; (thread = threads_at(i)) != NULL; i++)
		if (has_to_leave(thread, process) && thread->id != 0 && thread_is_gone(thread->id))
			step(thread, THREAD_GONE);
	lock_release(&process->lock);
}

void state_finish(struct process *process, void (*restore)(struct process *process))
{
	lock_take(&process->lock);
	if (process->state == PROCESS_LEAVING && !some_have_to_leave(process, NULL)) {
		restore(process);
		__atomic_store_n(&process->state, PROCESS_NATIVE, __ATOMIC_SEQ_CST);
		raw_syscall3(SYS_futex, (uint64_t)&process->state, KERNEL_FUTEX_WAKE, INT32_MAX);
	}
	lock_release(&process->lock);
}

bool state_wait(struct process *process)
{
	static const struct timespec most = {.tv_nsec = THREAD_WAIT_NS};

	if (process->state == PROCESS_LEAVING)
		raw_syscall6(SYS_futex, (uint64_t)&process->state, KERNEL_FUTEX_WAIT,
			     PROCESS_LEAVING, (uint64_t)&most, 0, 0);
	return __atomic_load_n(&process->state, __ATOMIC_SEQ_CST) == PROCESS_NATIVE;
}

void state_go(struct thread *thread)
{
	step(thread, THREAD_NATIVE);
}

static bool goes_first(const struct thread *thread, const struct thread *other)
{
	uint8_t turn = __atomic_load_n(&thread->turn, __ATOMIC_ACQUIRE);

	if (turn == other->turn)
		return turn == TURN_FILTERS && thread < other;
	return turn < other->turn;
}

/* Whether a thread has a call to make before it is the program's alone. `awaited` was written
 * before the state. */
static bool is_on_its_way(const struct thread *thread)
{
	uint32_t state = __atomic_load_n(&thread->state, __ATOMIC_ACQUIRE);

	return state == THREAD_LEAVING ||
	       (state == THREAD_NATIVE && thread->awaited && !thread_has_returned(thread));
}

bool state_others_are(const struct thread *thread, enum thread_state state)
{
	const struct thread *other;

	for (uint64_t i = 0; (other = threads_at(i)) != NULL; i++)
		if (other != thread && other->process == thread->process &&
		    __atomic_load_n(&other->state, __ATOMIC_ACQUIRE) == state &&
		    !thread_is_gone(other->id))
			return true;
	return false;
}

bool state_others_go_first(const struct thread *thread)
{
	const struct thread *other;

	for (uint64_t i = 0; (other = threads_at(i)) != NULL; i++)
		if (other != thread && other->process == thread->process &&
		    goes_first(other, thread) && is_on_its_way(other) && !thread_is_gone(other->id))
			return true;
	return false;
}
