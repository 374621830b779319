#include "loader/resident/threads/states.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/threads/lock.h"
#include "loader/resident/threads/shared.h"

#include <stddef.h>
#include <time.h>

/* The test that drives this file has a check_step of its own. */
#ifdef CHECK_STATES
static void check_step(enum thread_state from, enum thread_state to, const char *by)
{
#define STEP(before, after, function)                                                              \
	if (from == THREAD_##before && to == THREAD_##after &&                                     \
	    bytes_equal(by, #function, sizeof(#function)))                                         \
		return;
#include "loader/resident/threads/states.def"
	__builtin_trap();
}
#elif !defined(check_step)
#define check_step(from, to, by)
#endif

/* The function that calls this is the one that states.def names. */
#define step(thread, to)                                                                           \
	do {                                                                                       \
		check_step((thread)->state, to, __func__);                                         \
		shared_write((thread)->state, to);                                                 \
	} while (0)

/* Whether a block's thread belongs to the process and still has to leave. */
static bool has_to_leave(const struct thread *thread, const struct process *process)
{
	uint32_t state = shared_read(thread->state);

	return shared_read(thread->process) == process &&
	       (state == THREAD_BORN || state == THREAD_LAZY || state == THREAD_EXECS);
}

/* Whether there is such a thread other than `except`, which may be NULL. */
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
	check_step(thread->state, THREAD_BORN, __func__);
	/* The page is written before it is read: a page that is read first costs two faults. */
	bytes_clear(thread, sizeof(*thread));
	shared_write(thread->state, THREAD_BORN);
}

void state_free(struct thread *thread)
{
	step(thread, THREAD_FREE);
}

void state_name(struct thread *thread, long id)
{
	shared_write(thread->id, (int32_t)id);
	shared_write(thread->named, true);
}

void state_learn_ids(struct thread *thread)
{
	shared_write(thread->id, (int32_t)raw_syscall0(SYS_gettid));
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
	begins = shared_read(process->state) == PROCESS_LAZY;
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
		shared_write(process->state, PROCESS_LEAVING);
	for (uint64_t i = 0; begins && (thread = threads_at(i)) != NULL; i++)
		if (shared_read(thread->process) == process && thread != except &&
		    shared_read(thread->state) == THREAD_LAZY)
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
	return shared_read(thread->process->state) != PROCESS_LAZY &&
	       shared_read(thread->state) == THREAD_LAZY;
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
	int32_t id;

	/* The second look: it may have begun to leave before its end. A dead one stays as it is. */
	lock_take(&process->lock);
	for (uint64_t i = 0; (thread = threads_at(i)) != NULL; i++)
		if (has_to_leave(thread, process) && (id = shared_read(thread->id)) != 0 &&
		    thread_is_gone(id) && has_to_leave(thread, process))
			step(thread, THREAD_GONE);
	lock_release(&process->lock);
}

void state_finish(struct process *process, void (*restore)(struct process *process))
{
	lock_take(&process->lock);
	if (shared_read(process->state) == PROCESS_LEAVING && !some_have_to_leave(process, NULL)) {
		restore(process);
		shared_write(process->state, PROCESS_NATIVE);
		raw_syscall3(SYS_futex, (uint64_t)&process->state, KERNEL_FUTEX_WAKE, INT32_MAX);
	}
	lock_release(&process->lock);
}

bool state_wait(struct process *process)
{
	static const struct timespec most = {.tv_nsec = THREAD_WAIT_NS};

	if (shared_read(process->state) == PROCESS_LEAVING)
		raw_syscall6(SYS_futex, (uint64_t)&process->state, KERNEL_FUTEX_WAIT,
			     PROCESS_LEAVING, (uint64_t)&most, 0, 0);
	return shared_read(process->state) == PROCESS_NATIVE;
}

void state_go(struct thread *thread)
{
	step(thread, THREAD_NATIVE);
}

static bool goes_first(const struct thread *thread, const struct thread *other)
{
	uint8_t turn = shared_read(thread->turn), others = shared_read(other->turn);

	if (turn == others)
		return turn == TURN_FILTERS && thread < other;
	return turn < others;
}

/*
 * Whether a thread still has to make a call before the program runs in it. `awaited` was written
 * before the state.
 */
static bool is_on_its_way(const struct thread *thread)
{
	uint32_t state = shared_read(thread->state);

	return state == THREAD_LEAVING || (state == THREAD_NATIVE && shared_read(thread->awaited) &&
					   !thread_has_returned(thread));
}

bool state_others_are(const struct thread *thread, enum thread_state state)
{
	const struct thread *other;

	for (uint64_t i = 0; (other = threads_at(i)) != NULL; i++)
		if (other != thread && shared_read(other->process) == thread->process &&
		    shared_read(other->state) == state)
			return true;
	return false;
}

bool state_others_go_first(const struct thread *thread)
{
	const struct thread *other;

	for (uint64_t i = 0; (other = threads_at(i)) != NULL; i++)
		if (other != thread && shared_read(other->process) == thread->process &&
		    goes_first(other, thread) && is_on_its_way(other) &&
		    !thread_is_gone(shared_read(other->id)))
			return true;
	return false;
}
