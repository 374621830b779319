/*
 * signal_thread_waits: a thread that blocks all signals is sent one of faults, by another thread,
 * or by another process while paging is lazy. The signal waits for this thread, though another one
 * would take it.
 *
 * No mark: the signal that has to wait ends lazy paging.
 */
#include "guest.h"

static volatile char untouched[240 * 4096];
static volatile long handler_in;
static volatile int ready, sent;

static void on_signal(int number)
{
	handler_in = syscall(SYS_gettid);
}

static void *wait_blocked(void *pointer)
{
	sigset_t all, pending;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	ready = (int)syscall(SYS_gettid);
	while (!sent)
		getppid();
	sigpending(&pending);
	printf("pending %d, handled %d\n", sigismember(&pending, *(int *)pointer), handler_in != 0);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	check("handled here", handler_in == ready);
	return NULL;
}

/* Lazy paging ends only after this, when a thread sends a signal of faults. */
static void send_from_child(int number)
{
	int status = -1;

	if (fork() == 0)
		_exit(syscall(SYS_tgkill, getppid(), ready, number) != 0);
	wait(&status);
	check("sent by a child", status == 0);
}

int main(void)
{
	static int numbers[] = {SIGUSR1, SIGSEGV, SIGBUS, SIGSYS};
	pthread_t thread;

	for (int i = 0; i < 4; i++)
		signal(numbers[i], on_signal);
	for (int i = 0; i < 4; i++) {
		handler_in = ready = sent = 0;
		pthread_create(&thread, NULL, wait_blocked, &numbers[i]);
		while (!ready)
			getppid();
		if (numbers[i] == SIGSEGV)
			send_from_child(SIGBUS);
		check("sent", syscall(SYS_tgkill, getpid(), ready, numbers[i]) == 0);
		sent = 1;
		pthread_join(thread, NULL);
	}
	return untouched[100000];
}
