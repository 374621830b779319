#include "loader/resident/signals/gate.h"

#include "common/arch/x86_64/syscall.h"
#include "common/kernel_abi.h"

#include <stddef.h>
#include <time.h>

/* How often, at most, the first looks whether the others have left; then each millisecond. */
#define YIELDS	     100
#define WAIT_MOMENTS 1000

/* Of the threads of a process, but one, that are to leave: who has not done so yet, and who waits.
 */
struct leaving {
	const struct thread *except;
	unsigned count, waiting;
};

static void count_leaving(struct thread *thread, void *context)
{
	struct leaving *leaving = context;

	if (thread == leaving->except || thread->process != leaving->except->process ||
	    !thread->requested || thread->exiting)
		return;
	if (__atomic_load_n(&thread->waits, __ATOMIC_SEQ_CST))
		leaving->waiting++;
	else if (thread->selector != 0)
		leaving->count++;
}

static long futex(uint32_t *word, uint64_t command, uint64_t value, uint64_t more, uint32_t *other)
{
	return raw_syscall6(SYS_futex, (uint64_t)word, command, value, more, (uint64_t)other, 0);
}

/* Whether all others have left and sleep at the gate. The kernel counts those that it moves behind
 * it. */
static bool all_wait(const struct thread *thread, unsigned *asleep)
{
	struct process *process = thread->process;
	struct leaving leaving = {.except = thread};
	long moved = 0;

	threads_visit(count_leaving, &leaving);
	if (leaving.waiting > *asleep)
		moved =
		    futex(&process->gate, KERNEL_FUTEX_CMP_REQUEUE, 0, INT32_MAX, &process->room);
	*asleep += moved > 0 ? (unsigned)moved : 0;
	return leaving.count == 0 && leaving.waiting <= *asleep;
}

void gate_wait_for_others(const struct thread *thread)
{
	static const struct timespec a_moment = {.tv_nsec = 1000 * 1000};
	unsigned asleep = 0;

	for (unsigned i = 0; i < YIELDS + WAIT_MOMENTS && !all_wait(thread, &asleep); i++)
		if (i < YIELDS)
			raw_syscall0(SYS_sched_yield);
		else
			raw_syscall2(SYS_nanosleep, (uint64_t)&a_moment, 0);
}

/* At the gate itself is nobody any more, unless it took too long. */
void gate_open(struct process *process)
{
	__atomic_store_n(&process->gate, 1, __ATOMIC_SEQ_CST);
	futex(&process->gate, KERNEL_FUTEX_WAKE, INT32_MAX, 0, NULL);
	futex(&process->room, KERNEL_FUTEX_WAKE, INT32_MAX, 0, NULL);
}

/* The first gives up after a second. */
void gate_wait(struct process *process)
{
	static const struct timespec most = {.tv_sec = 2};

	if (__atomic_load_n(&process->gate, __ATOMIC_SEQ_CST) == 0)
		futex(&process->gate, KERNEL_FUTEX_WAIT, 0, (uint64_t)&most, NULL);
}
