/* Steps that change what is handled and blocked, and that send and take signals. */
#include "../guest.h"

#include "pages.h"
#include "pending.h"
#include "steps.h"

static void reset_or_restart(int number, struct sigaction *action)
{
	bool is_plain = !(SIGNAL_BIT(number) & SIGNALS_OF_FAULTS) && number < 32;

	if (is_plain && random_one_in(5) && !(pending_set() & SIGNAL_BIT(number)) &&
	    !(signal_mask & SIGNAL_BIT(number)))
		action->sa_flags |= SA_RESETHAND;
	if (random_one_in(2))
		action->sa_flags |= SA_RESTART;
}

void step_action(void)
{
	struct sigaction action = signals_action();
	int number = signals_any();

	if (random_one_in(3))
		action.sa_flags |= SA_ONSTACK;
	if (random_one_in(4))
		action.sa_flags |= SA_NODEFER;
	reset_or_restart(number, &action);
	if (random_one_in(4)) {
		action.sa_handler = SIG_IGN;
		action.sa_flags &= ~(SA_SIGINFO | SA_RESETHAND);
	}
	signals_install(number, &action);
	if (action.sa_handler == SIG_IGN)
		pending_forget(number);
}

void step_mask(void)
{
	static const int ways[] = {SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK};
	int how = ways[random_below(3)];
	uint64_t set = signals_without_resets(signals_any_set()), old = 0;

	expect("sigprocmask", signals_set_mask(how, set, &old), 0);
	expect("mask before", (long)old, (long)signal_mask);
	if (how == SIG_BLOCK)
		signal_mask |= set;
	else if (how == SIG_UNBLOCK)
		signal_mask &= ~set;
	else
		signal_mask = set;
	pending_deliver();
}

void step_send(void)
{
	int number = signals_any(), value = (int)random_below(1000);
	bool to_thread = random_one_in(2), queued = random_one_in(2);
	siginfo_t info;
	long result;

	if (!pending_has_room(number, to_thread))
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
	pending_add(number, to_thread,
		    queued	? SI_QUEUE
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
	if (!pending_take(*set, &taken)) {
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
	uint64_t before = signal_mask, pending = pending_set();
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
	pending_deliver_one();
	signal_mask = before;
	pending_deliver();
}
