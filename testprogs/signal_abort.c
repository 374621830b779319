/*
 * signal_abort WAY: abort kills by SIGABRT when it is ignored, blocked, called from a handler or
 * when the handler returns; not when the handler jumps away.
 */
#include "guest.h"

static sigjmp_buf landing;
static int jumps;

static void on_abort(int number)
{
	puts("SIGABRT handled");
	fflush(stdout);
	if (jumps)
		siglongjmp(landing, number);
}

static void aborts(int number)
{
	printf("handler of %s aborts\n", number == SIGSEGV ? "SIGSEGV" : "SIGUSR1");
	fflush(stdout);
	abort();
}

int main(int argc, char **argv)
{
	const char *way =
	    WORD(1, "default", "returns", "jumps", "ignored", "blocked", "handler", "fault");
	sigset_t set;

	printf("%s\n", way);
	fflush(stdout);
	if (strcmp(way, "returns") == 0 || strcmp(way, "jumps") == 0)
		signal(SIGABRT, on_abort);
	if (strcmp(way, "ignored") == 0)
		signal(SIGABRT, SIG_IGN);
	if (strcmp(way, "blocked") == 0) {
		sigfillset(&set);
		sigprocmask(SIG_BLOCK, &set, NULL);
	}
	if (strcmp(way, "handler") == 0) {
		signal(SIGUSR1, aborts);
		raise(SIGUSR1);
	}
	if (strcmp(way, "fault") == 0) {
		signal(SIGSEGV, aborts);
		*(volatile char *)8 = 1;
	}
	if (strcmp(way, "jumps") == 0) {
		jumps = 1;
		if (sigsetjmp(landing, 1) != 0) {
			puts("jumped away");
			return 5;
		}
	}
	mark();
	abort();
}
