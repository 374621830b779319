/*
 * Signals of the first thread: what is done about them, and which are blocked. Handlers block
 * everything, so that they run one after the other.
 */
#include "../guest.h"

#include "signals.h"
#include "steps.h"

#define FLAGS (SA_RESTART | SA_ONSTACK | SA_NODEFER | SA_SIGINFO | SA_RESETHAND)
#define STACK (16 * PAGE)

static const int plain[] = {SIGHUP, SIGUSR1, SIGUSR2, SIGTERM, SIGURG, 40, 41};
static const int faults[] = {SIGSEGV, SIGBUS, SIGSYS};
static bool with_faults;
struct sigaction signal_actions[65];
uint64_t signal_mask;
struct signal_entry signal_handled[SIGNAL_ENTRIES];
unsigned signal_handled_count;
static stack_t stack = {.ss_flags = SS_DISABLE};
static char stacks[3][STACK], touched[400 * PAGE];
static sigjmp_buf landing;
static volatile bool trying;

/*
 * Whether handlers and alternate stack in the kernel are the program's: once there have been
 * threads they may be a loader's.
 */
static bool is_shown = true;

static void on_signal(int number, siginfo_t *info, void *context)
{
	static unsigned count;
	char here;
	bool inside = (uintptr_t)&here - (uintptr_t)stack.ss_sp < STACK;

	if (trying && info->si_code > 0)
		siglongjmp(landing, 1);
	touched[count++ % 400 * PAGE + 1]++;
	expect("aligned", (uintptr_t)__builtin_frame_address(0) % 16, 0);
	if (is_shown)
		expect("on the other stack", inside,
		       (signal_actions[number].sa_flags & SA_ONSTACK) &&
			   stack.ss_flags != SS_DISABLE);
	if (signal_handled_count < SIGNAL_ENTRIES)
		signal_handled[signal_handled_count++] =
		    (struct signal_entry){number, info->si_code,
					  info->si_code == SI_QUEUE ? info->si_value.sival_int : 0};
}

int signals_any(void)
{
	uint64_t number = random_below(with_faults ? 10 : 7);

	return number < 7 ? plain[number] : faults[number - 7];
}

uint64_t signals_any_set(void)
{
	uint64_t set = 0;

	for (uint64_t i = random_below(5); i > 0; i--)
		set |= SIGNAL_BIT(signals_any());
	return set;
}

/* 0 default, 1 ignored, 2 handled; for the output. */
static long kind_of(const struct sigaction *action)
{
	if (action->sa_handler == SIG_DFL)
		return 0;
	return action->sa_handler == SIG_IGN ? 1 : 2 + (action->sa_sigaction != on_signal);
}

void signals_share(void)
{
	is_shown = false;
}

void signals_install(int number, const struct sigaction *action)
{
	struct sigaction old;

	sigaction(number, action, is_shown ? &old : NULL);
	if (!is_shown)
		old = signal_actions[number];
	expect("handler before", kind_of(&old), kind_of(&signal_actions[number]));
	expect("flags before", old.sa_flags & FLAGS, signal_actions[number].sa_flags & FLAGS);
	signal_actions[number] = *action;
}

struct sigaction signals_action(void)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};

	sigfillset(&action.sa_mask);
	return action;
}

void signals_begin(bool faults_too)
{
	struct sigaction action = signals_action();

	with_faults = faults_too;
	for (int i = 0; i < 7; i++)
		signals_install(plain[i], &action);
	for (int i = 0; i < 3; i++)
		signals_install(faults[i], &action);
}

bool signals_catch_faults(void)
{
	return signal_actions[SIGSEGV].sa_handler != SIG_IGN &&
	       !(signal_mask & SIGNAL_BIT(SIGSEGV));
}

bool signals_try(char *address, bool write, uint8_t *value)
{
	if (sigsetjmp(landing, 1) != 0) {
		trying = false;
		return true;
	}
	trying = true;
	if (write)
		*(volatile char *)address = 1;
	else
		*value = (uint8_t) * (volatile char *)address;
	trying = false;
	return false;
}

long signals_set_mask(int how, uint64_t set, uint64_t *old)
{
	return syscall(SYS_rt_sigprocmask, how, &set, old, 8);
}

void signals_block_all(void)
{
	signals_set_mask(SIG_SETMASK, UINT64_MAX, NULL);
}

void signals_unblock(void)
{
	signals_set_mask(SIG_SETMASK, signal_mask, NULL);
}

/* A signal whose handler is for one occasion may not wait: a second one would kill. */
uint64_t signals_without_resets(uint64_t set)
{
	for (int number = 1; number <= 64; number++)
		if (signal_actions[number].sa_flags & SA_RESETHAND)
			set &= ~SIGNAL_BIT(number);
	return set;
}

void step_stack(void)
{
	stack_t new = {.ss_sp = stacks[random_below(3)], .ss_size = STACK}, old;

	if (random_one_in(3))
		new = (stack_t){.ss_flags = SS_DISABLE};
	expect("sigaltstack", sigaltstack(&new, is_shown ? &old : NULL), 0);
	if (!is_shown)
		old = stack;
	expect("flags before", old.ss_flags, stack.ss_flags);
	expect("stack before", old.ss_sp == stack.ss_sp, true);
	stack = new;
}
