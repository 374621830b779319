/*
 * Signals that wait in the kernel's two queues, the thread's and the process's, and the order in
 * which they are taken from there (kernel/signal.c: dequeue_signal).
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "signals.h"

#define QUEUE 16

/* In the order in which they came. */
struct queue {
	struct signal_entry entries[QUEUE];
	unsigned count;
};

static struct queue private, shared;
static struct signal_entry expected[SIGNAL_ENTRIES];
static unsigned expected_count;

void signals_begin_child(void)
{
	private.count = shared.count = 0;
}

static uint64_t set_of(const struct queue *queue)
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

void signals_forget(int number)
{
	forget_in(&private, number);
	forget_in(&shared, number);
}

uint64_t signals_pending(void)
{
	return set_of(&private) | set_of(&shared);
}

/* The first entry of the lowest number, those of faults before the others. */
static bool take_from(struct queue *queue, uint64_t wanted, struct signal_entry *taken)
{
	uint64_t set = set_of(queue) & wanted;
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

static bool take(uint64_t wanted, struct signal_entry *taken)
{
	return take_from(&private, wanted, taken) || take_from(&shared, wanted, taken);
}

/* One handler runs, if there is anything for one. */
static bool deliver_one(void)
{
	struct signal_entry taken;

	while (take(~signal_mask, &taken)) {
		if (signal_actions[taken.number].sa_handler == SIG_IGN)
			continue;
		expected[expected_count++ % SIGNAL_ENTRIES] = taken;
		if (signal_actions[taken.number].sa_flags & SA_RESETHAND)
			signal_actions[taken.number].sa_handler = SIG_DFL;
		return true;
	}
	return false;
}

void signals_deliver(void)
{
	while (deliver_one())
		;
}

static bool can_be_sent(int number, const struct queue *queue)
{
	return signal_actions[number].sa_handler != SIG_DFL && queue->count < QUEUE - 1 &&
	       (!(signal_actions[number].sa_flags & SA_RESETHAND) ||
		!(signal_mask & SIGNAL_BIT(number)));
}

void signals_sent(int number, bool to_thread, int code, int value)
{
	struct queue *queue = to_thread ? &private : &shared;
	bool blocked = (signal_mask & SIGNAL_BIT(number)) != 0;

	if (signal_actions[number].sa_handler == SIG_IGN && !blocked)
		return;
	if (number < 32 && (set_of(queue) & SIGNAL_BIT(number)))
		return;
	queue->entries[queue->count++] = (struct signal_entry){number, code, value};
	signals_deliver();
}

int signals_blocked_one(void)
{
	int number = signals_any();

	return (signal_mask & SIGNAL_BIT(number)) && can_be_sent(number, &shared) ? number : 0;
}

void signals_check(void)
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
	expect("pending", (long)pending, (long)(signals_pending() & signal_mask));
	signals_set_mask(SIG_BLOCK, 0, &now);
	expect("mask", (long)now, (long)signal_mask);
}

void step_send(void)
{
	int number = signals_any(), value = (int)random_below(1000);
	bool to_thread = random_one_in(2), queued = random_one_in(2);
	siginfo_t info;
	long result;

	if (!can_be_sent(number, to_thread ? &private : &shared))
		return;
	memset(&info, 0, sizeof(info));
	info.si_signo = number;
	info.si_code = SI_QUEUE;
	info.si_value.sival_int = value;
	if (queued && to_thread)
		result =
		    syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, &info);
	else if (queued)
		result = syscall(SYS_rt_sigqueueinfo, getpid(), number, &info);
	else if (to_thread)
		result = syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
	else
		result = kill(getpid(), number);
	expect("sent", result, 0);
	signals_sent(number, to_thread,
		     queued	 ? SI_QUEUE
		     : to_thread ? SI_TKILL
				 : SI_USER,
		     queued ? value : 0);
}

void step_take(void)
{
	static const struct timespec at_once = {0, 0};
	uint64_t *set = pages_spare();
	siginfo_t *info = pages_spare();
	struct signal_entry taken;
	long result;

	*set = signals_any_set() & signal_mask;
	result = syscall(SYS_rt_sigtimedwait, set, info, &at_once, 8);
	if (!take(*set, &taken)) {
		expect("none", result < 0 ? -errno : result, -EAGAIN);
		return;
	}
	expect("taken", result, taken.number);
	expect("code", info->si_code, taken.code);
	if (taken.code == SI_QUEUE)
		expect("value", info->si_value.sival_int, taken.value);
}

/* Only where a handler is sure to run. */
void step_suspend(void)
{
	uint64_t before = signal_mask, pending = signals_pending();
	uint64_t *set = pages_spare();
	int number = pending != 0 ? __builtin_ctzl(pending) + 1 : 0;
	long result;

	*set = signals_without_resets(signals_any_set());
	if (number == 0 || signal_actions[number].sa_handler == SIG_IGN)
		return;
	*set &= ~SIGNAL_BIT(number);
	result = syscall(SYS_rt_sigsuspend, set, 8);
	expect("sigsuspend", result < 0 ? -errno : result, -EINTR);
	signal_mask = *set;
	deliver_one();
	signal_mask = before;
	signals_deliver();
}
