/*
 * thread_leave_gone: a thread sleeps while another one looks at the process in /proc, and ends
 * later. Then handlers run on the stack that the program wants: the alternate stack or the normal
 * one.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"

static volatile char untouched[240 * 4096];
static char stack[16 * 4096];
static volatile long id;

static void on_signal(int number)
{
	char here;

	printf("signal %d, on the alternate stack %d\n", number,
	       (uintptr_t)&here - (uintptr_t)stack < sizeof(stack));
}

static void *sleep_long(void *pointer)
{
	const struct timespec moment = {0, 60000000};

	id = syscall(SYS_gettid);
	syscall(SYS_nanosleep, &moment, NULL);
	return pointer;
}

int main(void)
{
	static const int numbers[] = {SIGUSR1, SIGSEGV, SIGBUS, SIGSYS};
	const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = on_signal}, found;
	pthread_t thread;

	for (int i = 0; i < 4; i++)
		sigaction(numbers[i], &action, NULL);
	signal(SIGUSR2, on_signal);
	signal(SIGUSR2, SIG_IGN);
	pthread_create(&thread, NULL, sleep_long, NULL);
	rest(30);
	close(open("/proc/self/stat", O_RDONLY));
	kill(getpid(), SIGUSR2);
	pthread_join(thread, NULL);
	while (syscall(SYS_tkill, id, 0) == 0)
		sched_yield();
	sigaltstack(&alternate, NULL);
	for (int i = 0; i < 4; i++) {
		kill(getpid(), numbers[i]);
		sigaction(numbers[i], NULL, &found);
		check("handler", found.sa_handler == on_signal);
	}
	return untouched[20000];
}
