/* jumps: setjmp and longjmp across frames, and siglongjmp out of a handler with its mask restored.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static jmp_buf landing;
static sigjmp_buf signal_landing;

static void descend(int depth)
{
	if (depth == 0)
		longjmp(landing, 5);
	descend(depth - 1);
	puts("never printed");
}

static void on_signal(int number)
{
	siglongjmp(signal_landing, number);
}

int main(void)
{
	volatile int attempts = 0;
	int value = setjmp(landing);

	if (attempts++ < 3)
		descend(100);
	printf("longjmp gave %d, %d attempts\n", value, attempts);

	signal(SIGUSR1, on_signal);
	value = sigsetjmp(signal_landing, 1);
	if (value == 0)
		raise(SIGUSR1);

	sigset_t mask;

	sigprocmask(SIG_SETMASK, NULL, &mask);
	printf("siglongjmp gave %d, SIGUSR1 is %s\n", value == SIGUSR1,
	       sigismember(&mask, SIGUSR1) ? "blocked" : "not blocked");
}
