/*
 * Signals that wait in the kernel's two queues, the thread's and the process's, and the order in
 * which they are taken from there (kernel/signal.c: dequeue_signal).
 */
#include "../guest.h"

#include "pending.h"

#define QUEUE 16

/* In the order in which they came. */
struct queue {
	struct signal_entry entries[QUEUE];
	unsigned count;
};

static struct queue private, shared;
static struct signal_entry expected[SIGNAL_ENTRIES];
static unsigned expected_count;

void pending_begin_child(void)
{
	private.count = shared.count = 0;
}

static uint64_t queue_set(const struct queue *queue)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < queue->count; i++)
		set |= SIGNAL_BIT(queue->entries[i].number);
	return set;
}

static void forget_in(struct queue *queue, int number)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < queue->count; i++)
		if (queue->entries[i].number != number)
			queue->entries[kept++] = queue->entries[i];
	queue->count = kept;
}

void pending_forget(int number)
{
	forget_in(&private, number);
	forget_in(&shared, number);
}

uint64_t pending_set(void)
{
	return queue_set(&private) | queue_set(&shared);
}

/* The first entry of the lowest number, those of faults before the others. */
static bool take_from(struct queue *queue, uint64_t wanted, struct signal_entry *taken)
{
	uint64_t set = queue_set(queue) & wanted;
	unsigned i = 0;
	int number;

	if (set == 0)
		return false;
	if (set & SIGNALS_OF_FAULTS)
		set &= SIGNALS_OF_FAULTS;
	number = __builtin_ctzl(set) + 1;
	while (queue->entries[i].number != number)
		i++;
	*taken = queue->entries[i];
	memmove(queue->entries + i, queue->entries + i + 1,
		(queue->count - i - 1) * sizeof(*taken));
	queue->count--;
	return true;
}

bool pending_take(uint64_t wanted, struct signal_entry *taken)
{
	return take_from(&private, wanted, taken) || take_from(&shared, wanted, taken);
}

/* One handler runs, if there is anything for one. */
bool pending_deliver_one(void)
{
	struct signal_entry taken;

	while (pending_take(~signal_mask, &taken)) {
		if (signal_actions[taken.number].sa_handler == SIG_IGN)
			continue;
		expected[expected_count++ % SIGNAL_ENTRIES] = taken;
		if (signal_actions[taken.number].sa_flags & SA_RESETHAND)
			signal_actions[taken.number].sa_handler = SIG_DFL;
		return true;
	}
	return false;
}

void pending_deliver(void)
{
	while (pending_deliver_one())
		;
}

bool pending_has_room(int number, bool to_thread)
{
	const struct queue *queue = to_thread ? &private : &shared;

	return signal_actions[number].sa_handler != SIG_DFL && queue->count < QUEUE - 1 &&
	       (!(signal_actions[number].sa_flags & SA_RESETHAND) ||
		!(signal_mask & SIGNAL_BIT(number)));
}

void pending_add(int number, bool to_thread, int code, int value)
{
	struct queue *queue = to_thread ? &private : &shared;
	bool blocked = (signal_mask & SIGNAL_BIT(number)) != 0;

	if (signal_actions[number].sa_handler == SIG_IGN && !blocked)
		return;
	if (number < 32 && (queue_set(queue) & SIGNAL_BIT(number)))
		return;
	queue->entries[queue->count++] = (struct signal_entry){number, code, value};
	pending_deliver();
}

void pending_check(void)
{
	uint64_t pending = 0, now = 0;

	expect("handled", signal_handled_count, expected_count);
	for (unsigned i = 0; i < signal_handled_count && i < expected_count; i++) {
		expect("number", signal_handled[i].number, expected[i].number);
		expect("code", signal_handled[i].code, expected[i].code);
		expect("value", signal_handled[i].value, expected[i].value);
	}
	signal_handled_count = expected_count = 0;
	syscall(SYS_rt_sigpending, &pending, 8);
	expect("pending", (long)pending, (long)(pending_set() & signal_mask));
	signals_set_mask(SIG_BLOCK, 0, &now);
	expect("mask", (long)now, (long)signal_mask);
}
