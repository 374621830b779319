/*
 * signal_newborn NUMBER: a child by clone that is sent a signal by a third process, as soon as
 * there is its number, handles it.
 *
 * No mark: it makes more calls than a trace has room for.
 */
#include "guest.h"
#include "handled.h"

#define ROUNDS 20

/* Shared memory: what the third process reads and answers. */
struct board {
	volatile int child; /* its number; 0: none yet; below 0: it is over */
	volatile int sent;
};

static volatile char untouched[400 * 4096];

static void send_to_each(struct board *board, int number)
{
	while (board->child >= 0) {
		int child = board->child;

		if (child > 0) {
			board->child = 0;
			kill(child, number);
			board->sent = 1;
		} else {
			sched_yield();
		}
	}
	_exit(0);
}

/* In the child: waits until the signal was sent, and then ten seconds at most until it has come. */
static void wait_for_it(const struct board *board)
{
	while (!board->sent)
		sched_yield();
	for (int i = 0; i < 10000 && !handled; i++)
		rest(1);
	_exit(!handled);
}

int main(int argc, char **argv)
{
	int number = argc > 1 ? atoi(argv[1]) : SIGBUS, lost = 0;
	struct board *board =
	    mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	signal(number, on_signal);
	must(board != MAP_FAILED);
	if (fork() == 0)
		send_to_each(board, number);
	for (int i = 0; i < ROUNDS; i++) {
		long child;

		board->sent = 0;
		child = syscall(SYS_clone, CLONE_PARENT_SETTID | SIGCHLD, 0, &board->child, 0, 0);
		if (child == 0)
			wait_for_it(board);
		lost += end_of((pid_t)child) != 0;
	}
	board->child = -1;
	wait(NULL);
	printf("lost: %d\n", lost);
	return untouched[30000];
}
