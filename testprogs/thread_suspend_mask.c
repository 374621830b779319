/*
 * thread_suspend_mask: a thread looks at the process in /proc while another one sleeps in a call
 * that cannot be restarted. Then come sigsuspend, ppoll and epoll_pwait. Their mask is in force in
 * their handlers.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"

#include <sys/epoll.h>

static volatile char untouched[240 * 4096];
static char much[200000];
static int ends[2];
static volatile int handled;
static sigset_t inside, saved;

static void on_signal(int number, siginfo_t *info, void *context)
{
	handled++;
	sigprocmask(SIG_BLOCK, NULL, &inside);
	memcpy(&saved, &((ucontext_t *)context)->uc_sigmask, 8);
}

static void *writer(void *unused)
{
	/* With --retire=never a write that was begun returns what it has written (docs/quirks.md).
	 */
	for (long done = 0; done < (long)sizeof(much);)
		done += write(ends[1], much + done, sizeof(much) - (size_t)done);
	return unused;
}

static void show(const char *what)
{
	printf("%s: handled %d; inside USR1 %d, USR2 %d, TERM %d, SEGV %d; saved USR1 %d, USR2 %d, "
	       "TERM %d\n",
	       what, handled, sigismember(&inside, SIGUSR1), sigismember(&inside, SIGUSR2),
	       sigismember(&inside, SIGTERM), sigismember(&inside, SIGSEGV),
	       sigismember(&saved, SIGUSR1), sigismember(&saved, SIGUSR2),
	       sigismember(&saved, SIGTERM));
}

int main(void)
{
	const struct timespec ten = {10, 0};
	struct epoll_event event;
	sigset_t normally = SET_OF(SIGUSR1, SIGTERM), waiting;
	pthread_t thread;
	long got = 0;

	must(pipe(ends) == 0);
	HANDLE_INFO(on_signal, 0, SIGUSR1);
	sigprocmask(SIG_SETMASK, &normally, NULL);
	waiting = SET_OF(SIGUSR2, SIGSEGV);
	pthread_create(&thread, NULL, writer, NULL);
	rest(30);
	close(open("/proc/self/stat", O_RDONLY));
	pthread_kill(pthread_self(), SIGUSR1);
	sigsuspend(&waiting);
	show("sigsuspend");
	pthread_kill(pthread_self(), SIGUSR1);
	ppoll(NULL, 0, &ten, &waiting);
	show("ppoll");
	pthread_kill(pthread_self(), SIGUSR1);
	epoll_pwait(epoll_create1(0), &event, 1, 10000, &waiting);
	show("epoll_pwait");
	while (got < (long)sizeof(much))
		got += read(ends[0], much, 50000);
	pthread_join(thread, NULL);
	return untouched[100000];
}
