/*
 * signal_pending: blocked signals wait. Standard ones are kept once, real-time ones in order and
 * each with its value; sigpending writes to untouched pages; lower numbers come first.
 */
#include "guest.h"

static FRESH(uint64_t set) pending[6];

static struct {
	char before[2 * 4096];
	int number[64];
	int value[64];
} handled;

static volatile sig_atomic_t count;

static void on_signal(int number, siginfo_t *info, void *context)
{
	handled.number[count] = number;
	handled.value[count] = info->si_code == SI_QUEUE ? info->si_value.sival_int : -1;
	count++;
}

static void show_pending(int i)
{
	long result = syscall(SYS_rt_sigpending, &pending[i].set, 8);

	printf("pending: %ld, %#lx\n", result, (unsigned long)pending[i].set);
}

/* Signals of faults are sent the second time only: when they have to wait, lazy paging ends. */
static void send_all(int faults)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	static const int numbers[] = {SIGTERM, 40, SIGUSR1, 36, 40, 50, SIGSEGV, SIGBUS, SIGSYS};
	unsigned number = sizeof(numbers) / sizeof(numbers[0]) - (faults ? 0 : 3);
	sigset_t all;

	/* Handlers must not nest: the kernel would run the last one first. */
	sigfillset(&action.sa_mask);
	for (unsigned i = 0; i < number; i++)
		sigaction(numbers[i], &action, NULL);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	count = 0;
	show_pending(3 * faults);
	for (int round = 1; round <= 3; round++)
		for (unsigned i = 0; i < number; i++)
			sigqueue(getpid(), numbers[i],
				 (union sigval){.sival_int = round * 100 + (int)i});
	kill(getpid(), SIGUSR2);
	kill(getpid(), SIGCHLD);
	show_pending(3 * faults + 1);
	check("none was handled", count == 0);

	/* A signal that becomes ignored is dropped. */
	signal(SIGUSR2, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	for (int i = 0; i < count; i++)
		printf("%d with %d\n", handled.number[i], handled.value[i]);
	show_pending(3 * faults + 2);
}

int main(void)
{
	send_all(0);
	mark();
	send_all(1);
}
