/*
 * signal_queued_code: SIGSEGV, SIGBUS and SIGSYS, queued by the process to itself with codes that
 * only the kernel gives otherwise. signal_queued_code default|handled|ignored|blocked NUMBER CODE
 */
#include "guest.h"

static volatile char untouched[240 * 4096];
static volatile int handled, seen;

static void on_signal(int number, siginfo_t *info, void *context)
{
	seen = info->si_code;
	if (++handled == 100)
		_exit(100);
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "default", "handled", "ignored", "blocked");
	const struct rlimit a_second = {1, 1};
	int number = argc > 2 ? atoi(argv[2]) : SIGSEGV;
	siginfo_t info;
	sigset_t set;

	/* The limit ends a loader that sends the signal again and again. */
	setrlimit(RLIMIT_CPU, &a_second);
	memset(&info, 0, sizeof(info));
	info.si_signo = number;
	info.si_code = argc > 3 ? atoi(argv[3]) : 1;
	info.si_addr = (void *)(untouched + 120 * 4096);
	set = SET_OF(number);
	if (strcmp(way, "handled") == 0)
		HANDLE_INFO(on_signal, 0, number);
	else if (strcmp(way, "ignored") == 0)
		signal(number, SIG_IGN);
	else if (strcmp(way, "blocked") == 0)
		sigprocmask(SIG_BLOCK, &set, NULL);
	puts("now");
	fflush(stdout);
	mark();
	printf("queued: %ld\n",
	       syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, &info));
	printf("handled %d, code %d\n", handled, seen);
	sigpending(&set);
	check("pending", sigismember(&set, number));
	return untouched[200 * 4096];
}
