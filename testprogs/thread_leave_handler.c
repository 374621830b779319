/*
 * thread_leave_handler join|pipe|futex handler|default|ignore SIGNAL: one thread waits. Another one
 * looks at the process in /proc and then sets the action of SIGSEGV, SIGSYS or SIGBUS. The first
 * one continues undisturbed.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"
#include "processor.h"

#define FUTEX_WAIT_PRIVATE 128
#define FUTEX_WAKE_PRIVATE 129

static volatile char untouched[240 * 4096];
static char much[1 << 20];
static int ends[2], word, number;
static const char *way, *what;
static volatile int handled;

static void on_signal(int signal)
{
	static const char text[] = "our handler was called\n";

	handled++;
	write(1, text, sizeof(text) - 1);
}

static void *change(void *unused)
{
	struct sigaction action = {.sa_handler = on_signal};

	rest(20);
	close(open("/proc/self/stat", O_RDONLY));
	sigfillset(&action.sa_mask);
	if (strcmp(what, "default") == 0)
		action.sa_handler = SIG_DFL;
	else if (strcmp(what, "ignore") == 0)
		action.sa_handler = SIG_IGN;
	sigaction(number, &action, NULL);
	if (strcmp(way, "pipe") == 0)
		while (read(ends[0], much + sizeof(much) / 2, 4096) > 0)
			;
	if (strcmp(way, "futex") == 0) {
		word = 1;
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
	return unused;
}

int main(int argc, char **argv)
{
	const struct sched_param nothing = {0};
	struct sigaction now;
	pthread_t thread;

	/* Here SCHED_BATCH, so that waking it does not preempt the other one. */
	stay_on_this_processor();
	way = WORD(1, "join", "pipe", "futex");
	what = WORD(2, "handler", "default", "ignore");
	number = argc > 3 ? atoi(argv[3]) : SIGSEGV;
	must(pipe(ends) == 0);
	pthread_create(&thread, NULL, change, NULL);
	syscall(SYS_sched_setscheduler, 0, SCHED_BATCH, &nothing);
	if (strcmp(way, "pipe") == 0) {
		printf("written %ld\n", (long)write(ends[1], much, 200000));
		close(ends[1]);
	}
	while (strcmp(way, "futex") == 0 && __atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	printf("parent %d\n", getppid() > 0);
	pthread_join(thread, NULL);
	sigaction(number, NULL, &now);
	check("installed", now.sa_handler == (strcmp(what, "default") == 0  ? SIG_DFL
					      : strcmp(what, "ignore") == 0 ? SIG_IGN
									    : on_signal));
	printf("untouched %d, handled %d\n", untouched[30000], handled);
}
