/*
 * signal_queued_again own|elsewhere|forged: the handler of a true SIGSEGV sets the default action
 * and queues its siginfo to its own thread, as crash reporters do. The fault is a write to a
 * constant ("own") or to a page that was touched and then unmapped ("elsewhere"). With "forged" the
 * program queues a siginfo like that of its last first touch. The process dies of that signal.
 *
 * No mark: the test is about a queued signal, not about pages.
 */
#include "guest.h"

static volatile char pages[240][PAGE] __attribute__((aligned(PAGE)));
static const char constant[PAGE] __attribute__((aligned(PAGE))) = {1};

static void on_fault(int number, siginfo_t *info, void *context)
{
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
	volatile char *place = (volatile char *)constant;
	const char *way = WORD(1, "own", "elsewhere", "forged");

	if (strcmp(way, "forged") == 0)
		forge(pages[100]);
	if (strcmp(way, "elsewhere") == 0) {
		place = pages[100];
		*place = 1;
		munmap((void *)place, PAGE);
	}
	HANDLE_INFO(on_fault, SA_NODEFER, SIGSEGV);
	*place = 1;
}
