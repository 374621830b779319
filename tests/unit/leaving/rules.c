/* What must hold in every state of the machine. */
#include "tests/unit/leaving/machine.h"

#include "common/kernel_abi.h"
#include "tests/unit/leaving/kernel.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static struct {
	uint8_t from, to;
	const char *by, *words;
	bool made;
} table[] = {
#define STEP(from, to, by) {THREAD_##from, THREAD_##to, #by, #from " -> " #to, false},
#include "loader/resident/threads/states.def"
};

#define TABLE_STEPS (sizeof(table) / sizeof(table[0]))

void leaving_check_step(uint32_t from, uint32_t to, const char *by)
{
	for (unsigned i = 0; i < TABLE_STEPS; i++)
		if (table[i].from == from && table[i].to == to && strcmp(table[i].by, by) == 0) {
			table[i].made = true;
			return;
		}
	machine_wrong("this step is not in states.def");
}

const char *rules_step_not_made(void)
{
	for (unsigned i = 0; i < TABLE_STEPS; i++)
		if (!table[i].made && table[i].to != THREAD_FREE)
			return table[i].words;
	return NULL;
}

bool rules_has_to_leave(unsigned task)
{
	uint32_t state = machine_thread(task)->state;

	return state == THREAD_BORN || state == THREAD_LAZY || state == THREAD_EXECS;
}

static const char *wrong_with_native(const struct task *task, const struct thread *thread)
{
	uint64_t managed = task->mask & MANAGED_PAGES;

	if (thread->state != THREAD_NATIVE)
		return "a thread has left lazy paging, and its state is not NATIVE";
	if (resident_process.state != PROCESS_NATIVE || machine.restored != MANAGED_PAGES)
		return "a thread has left lazy paging before the kernel has the program's handlers";
	if (managed != (task->blocks ? KERNEL_SIGNAL_BIT(SIGSYS) : 0))
		return "a thread has left lazy paging without the program's mask";
	if (thread->deferred != 0)
		return "a thread has left lazy paging, and the loader keeps a signal of it";
	if (task->dispatch || task->our_stack)
		return "a thread has left lazy paging with the loader's alternate stack, or with "
		       "dispatch";
	return NULL;
}

const char *rules_wrong(void)
{
	unsigned lazy = 0, native = 0;
	const char *wrong = NULL;

	if (machine.replaced)
		return NULL;
	for (unsigned i = 0; i < THREADS && wrong == NULL; i++) {
		const struct task *task = &machine.tasks[i];
		const struct thread *thread = machine_thread(i);

		lazy += rules_has_to_leave(i);
		if (task->exited && thread->state != THREAD_BORN && rules_has_to_leave(i))
			return "a thread has exited, and its block is still in use";
		if (task->alive && task->place == PROGRAM &&
		    !(task->dispatch && thread->selector != 0)) {
			wrong = wrong_with_native(task, thread);
			native++;
		}
	}
	if (wrong == NULL && native != 0 && lazy != 0)
		return "a thread has left lazy paging before all threads could";
	return wrong;
}

/*
 * Whether a thread may stay where it is for ever. In a process that is not LAZY, a thread that has
 * not been asked may go on if no thread waits for it: the thread that began has been killed.
 */
static bool may_stay(unsigned i)
{
	const struct task *task = &machine.tasks[i];

	if (!task->alive)
		return true;
	if (task->pending != SENT_NONE)
		return false;
	return (task->place == PROGRAM || task->place == SLEEPS) &&
	       (!resident_process.asked ||
		(task->place == PROGRAM && machine_thread(i)->state == THREAD_NATIVE));
}

bool rules_is_final(void)
{
	if (machine.replaced)
		return true;
	for (unsigned i = 0; i < THREADS; i++)
		if (!may_stay(i))
			return false;
	return machine.owed == 0;
}
