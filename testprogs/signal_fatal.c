/*
 * signal_fatal WAY: a fault of the program's own whose signal is ignored, blocked, being handled or
 * cannot be handled kills, whatever the handler would do. Pages that are only untouched go on being
 * there before it.
 */
#include "guest.h"
#include "machine/machine.h"

static char area[64 * 4096];
static char stack[16 * 4096] __attribute__((aligned(4096)));

static void fault(void)
{
	*(volatile char *)16 = 1;
}

static void on_fault(int number)
{
	static const char text[] = "in the handler\n";

	if (write(STDOUT_FILENO, text, sizeof(text) - 1) > 0)
		fault();
	_exit(9);
}

static void only_returns(int number)
{
	static const char text[] = "returns\n";

	if (write(STDOUT_FILENO, text, sizeof(text) - 1) <= 0)
		_exit(number);
}

/* Uses the caller's frame after the call: no jump to itself. */
static long descend(volatile char *previous, long depth)
{
	volatile char frame[2048];

	frame[0] = (char)(previous[0] + 1);
	return depth == 0 ? frame[0] : descend(frame, depth - 1) + frame[0];
}

static void prepare(const char *way)
{
	struct sigaction action = {.sa_handler = on_fault};
	const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	sigset_t set = SET_OF(SIGSEGV);

	if (strcmp(way, "ignored") == 0)
		action.sa_handler = SIG_IGN;
	else if (strcmp(way, "reset") == 0)
		action =
		    (struct sigaction){.sa_handler = only_returns, .sa_flags = (int)SA_RESETHAND};
	else if (strcmp(way, "default") == 0)
		action.sa_handler = SIG_DFL;
	else if (strcmp(way, "bad_alternate_stack") == 0)
		action.sa_flags = SA_ONSTACK;
	sigaction(SIGSEGV, &action, NULL);
	if (strcmp(way, "blocked") == 0 || strcmp(way, "default") == 0)
		sigprocmask(SIG_BLOCK, &set, NULL);
	if (action.sa_flags == SA_ONSTACK) {
		sigaltstack(&alternate, NULL);
		mprotect(stack, sizeof(stack), PROT_NONE);
	}
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "handled", "ignored", "blocked", "default", "reset",
			       "no_alternate_stack", "bad_alternate_stack", "bad_stack_pointer");
	volatile char first = 0;
	int sum = 0;

	prepare(way);
	for (int i = 0; i < 64; i++) {
		area[i * 4096 + i] = (char)i;
		sum += area[(i * 3 + 1) % 64 * 4096] + area[i * 4096 + i];
	}
	printf("%s: %d\n", way, sum);
	fflush(stdout);
	if (strcmp(way, "bad_stack_pointer") == 0)
		run_on((void *)64, fault);
	if (strcmp(way, "no_alternate_stack") == 0)
		printf("%ld\n", descend(&first, 1L << 40));
	mark();
	fault();
	puts("survived");
}
