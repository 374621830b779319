/*
 * signal_queued_again own|elsewhere|forged: the handler of a true SIGSEGV, a write to a constant
 * ("own") or to a page that was unmapped after it had been touched ("elsewhere"), puts the default
 * action back and queues to its own thread the siginfo that it was given, as crash reporters do. Or
 * the program queues a siginfo like that of the last page it touched first ("forged"). The process
 * dies of that signal.
 *
 * No mark: what becomes of a queued signal is what it tests, not pages.
 */
#include "guest.h"

static volatile char pages[240][PAGE] __attribute__((aligned(PAGE)));
static const char constant[PAGE] __attribute__((aligned(PAGE))) = {1};

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)context;
	signal(SIGSEGV, SIG_DFL);
	syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info);
	_exit(99);
}

static void forge(volatile char *place)
{
	siginfo_t info = {.si_signo = SIGSEGV, .si_code = SEGV_MAPERR};

	info.si_addr = (void *)place;
	*place = 1;
	syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGSEGV, &info);
	_exit(98);
}

int main(int argc, char **argv)
{
	const struct sigaction action = {.sa_sigaction = on_fault,
					 .sa_flags = SA_SIGINFO | SA_NODEFER};
	volatile char *place = (volatile char *)constant;
	const char *way = WORD(1, "own", "elsewhere", "forged");

	if (strcmp(way, "forged") == 0)
		forge(pages[100]);
	if (strcmp(way, "elsewhere") == 0) {
		place = pages[100];
		*place = 1;
		munmap((void *)place, PAGE);
	}
	sigaction(SIGSEGV, &action, NULL);
	*place = 1;
	return 0;
}
