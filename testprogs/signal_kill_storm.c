/*
 * signal_kill_storm: two children queue signals for their parent as fast as they can, while it
 * touches new pages and makes system calls. Every value arrives once, those of a child in order.
 */
#include "guest.h"

#define SIGNALS 300

static char area[600 * PAGE], seen[2][SIGNALS * 512];
static volatile sig_atomic_t next[2], wrong;
/* One sum for each child: the handler of one may interrupt that of the other. */
static volatile long sum[2];

static void on_signal(int number, siginfo_t *info, void *context)
{
	int child = number - SIGRTMIN, value = info->si_value.sival_int;

	if (value != next[child])
		wrong++;
	next[child]++;
	seen[child][value * 512]++;
	sum[child] += value * (child + 1);
	/* Signals of the other child may arrive in between. */
	if (value % 50 == 0)
		sched_yield();
}

static void send_all(int child)
{
	pid_t parent = getppid();

	for (int i = 0; i < SIGNALS; i++)
		while (sigqueue(parent, SIGRTMIN + child, (union sigval){.sival_int = i}) != 0)
			if (errno != EAGAIN)
				_exit(1);
	_exit(0);
}

int main(void)
{
	int ends[2], touched = 0, twice = 0;

	HANDLE_INFO(on_signal, SA_RESTART, SIGRTMIN, SIGRTMIN + 1);
	must(pipe(ends) == 0);
	for (int child = 0; child < 2; child++)
		if (fork() == 0)
			send_all(child);
	for (int i = 0; touched < 600 || next[0] < SIGNALS || next[1] < SIGNALS;
	     i = (i + 7) % 600) {
		area[i * PAGE + 1]++;
		if (write(ends[1], area + i * PAGE, 16) != 16 ||
		    read(ends[0], area + i * PAGE + 512, 16) != 16)
			puts("pipe failed");
		touched++;
	}
	for (int child = 0; child < 2; child++) {
		int status = -1;

		check("child", wait(&status) > 0 && status == 0);
		for (int i = 0; i < SIGNALS; i++)
			twice += seen[child][i * 512] != 1;
	}
	printf("handled %d and %d, sum %ld, wrong %d, twice %d\n", (int)next[0], (int)next[1],
	       sum[0] + sum[1], (int)wrong, twice);
	mark();
}
