/*
 * signal_transfer ignored|blocked write|receive NUMBER: an ignored or blocked signal arrives in the
 * middle of a write of a mebibyte to a socket, or of a receive that waits for all of it.
 *
 * No mark: ignoring or blocking a signal of faults ends lazy paging, and the test is that nothing
 * is interrupted.
 */
#include "guest.h"

#include <sys/socket.h>

#define SIZE (1 << 20)

static char data[SIZE];
static volatile char untouched[240 * 4096];
static int ends[2];

/* The other end, which sends the signal in the middle. */
static void other_end(pid_t parent, int writes, int number)
{
	long done = 0;

	close(ends[1]);
	while (done < SIZE) {
		long part = writes ? read(ends[0], data, SIZE / 4)
				   : write(ends[0], data + done, (size_t)(SIZE - done) / 2 + 1);

		if (part <= 0)
			_exit(1);
		if (done < SIZE / 2 && done + part >= SIZE / 2) {
			rest(20);
			kill(parent, number);
			rest(20);
		}
		done += part;
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	int blocked = strcmp(WORD(1, "ignored", "blocked"), "blocked") == 0;
	int writes = strcmp(WORD(2, "write", "receive"), "write") == 0;
	int number = argc > 3 ? atoi(argv[3]) : SIGSEGV;
	sigset_t set;
	long done;
	pid_t child;
	int status;

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	set = SET_OF(number);
	if (blocked)
		sigprocmask(SIG_BLOCK, &set, NULL);
	else
		signal(number, SIG_IGN);
	child = fork();
	if (child == 0)
		other_end(getppid(), writes, number);
	close(ends[0]);
	done = writes ? write(ends[1], data, SIZE) : recv(ends[1], data, SIZE, MSG_WAITALL);
	printf("%ld bytes\n", done);
	close(ends[1]);
	waitpid(child, &status, 0);
	sigpending(&set);
	check("pending", sigismember(&set, number));
	check("the other end is content", status == 0);
	return untouched[100000];
}
