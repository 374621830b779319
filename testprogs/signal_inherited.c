/*
 * signal_inherited: signals of faults may be pending, and blocked, from before exec. The program
 * touches new pages all the same, sees which are pending, and handles each when it is unblocked.
 */
#include "guest.h"

static volatile char untouched[240 * PAGE];
static volatile sig_atomic_t handled;

static void on_signal(int number)
{
	handled = number;
}

int main(void)
{
	static const int numbers[] = {SIGBUS, SIGSEGV, SIGSYS, SIGUSR1};
	sigset_t pending, one;

	untouched[10 * PAGE] = 1;
	sigpending(&pending);
	mark();
	for (int i = 0; i < 4; i++) {
		printf("%d: pending %d, ", numbers[i], sigismember(&pending, numbers[i]));
		signal(numbers[i], on_signal);
		untouched[(50 * i + 30) * PAGE] = 1;
		one = SET_OF(numbers[i]);
		handled = 0;
		sigprocmask(SIG_UNBLOCK, &one, NULL);
		printf("handled %d\n", (int)handled);
	}
}
