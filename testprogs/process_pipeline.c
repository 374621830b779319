/*
 * process_pipeline: three children joined by pipes, that generate, transform and add up bytes in
 * pages never touched; the parent reads the result.
 */
#include "guest.h"

#include <sys/uio.h>

enum { BLOCKS = 60, BLOCK = 2 * PAGE };

static unsigned char blocks[3][BLOCKS][BLOCK];
static unsigned char table[3 * PAGE] = {[PAGE] = 3, [2 * PAGE] = 5};
static const unsigned char constants[3 * PAGE] = {[PAGE] = 11, [2 * PAGE] = 13};
static struct {
	char gap0[2 * PAGE];
	int pipes[3][2];
	char gap1[2 * PAGE];
	int status[3][PAGE];
	uint64_t result[2 * PAGE];
} at;

/* Writes all of it: half of the blocks from a page never touched. */
static int generate(int out)
{
	for (int i = 0; i < BLOCKS; i++) {
		struct iovec *vectors = (struct iovec *)blocks[2][i];

		if (i % 2 == 0)
			blocks[0][i][i] = (unsigned char)(table[PAGE] + i);
		vectors[0] = (struct iovec){blocks[0][i], PAGE};
		vectors[1] = (struct iovec){blocks[0][i] + PAGE, PAGE};
		if (writev(out, vectors, 2) != BLOCK)
			return 1;
	}
	return write(out, constants, sizeof(constants)) == sizeof(constants) ? 10 : 1;
}

static int transform(int in, int out)
{
	ssize_t length;
	int number = 0;

	while ((length = read(in, blocks[1][number], BLOCK)) > 0) {
		for (ssize_t i = 0; i < length; i++)
			blocks[1][number][i] ^= table[2 * PAGE];
		for (ssize_t done = 0, now; done < length; done += now)
			if ((now = write(out, blocks[1][number] + done, (size_t)(length - done))) <=
			    0)
				return 1;
		number = (number + 1) % BLOCKS;
	}
	return 11;
}

static int add_up(int in, int out)
{
	ssize_t length;
	int number = 0;

	while ((length = read(in, blocks[2][number], 1000)) > 0) {
		for (ssize_t i = 0; i < length; i++)
			at.result[0] = at.result[0] * 31 + blocks[2][number][i];
		at.result[PAGE] += (uint64_t)length;
		number = (number + 1) % BLOCKS;
	}
	return write(out, at.result, sizeof(at.result)) == sizeof(at.result) ? 12 : 1;
}

static pid_t start(int stage)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	for (int i = 0; i < 3; i++) {
		if (i != stage - 1)
			close(at.pipes[i][0]);
		if (i != stage)
			close(at.pipes[i][1]);
	}
	if (stage == 0)
		_exit(generate(at.pipes[0][1]));
	if (stage == 1)
		_exit(transform(at.pipes[0][0], at.pipes[1][1]));
	_exit(add_up(at.pipes[1][0], at.pipes[2][1]));
}

int main(void)
{
	pid_t children[3];
	size_t total = 0;
	ssize_t length;

	for (int i = 0; i < 3; i++)
		must(pipe(at.pipes[i]) == 0);
	for (int i = 0; i < 3; i++)
		children[i] = start(i);
	for (int i = 0; i < 3; i++)
		close(at.pipes[i][1]);
	close(at.pipes[0][0]);
	close(at.pipes[1][0]);
	while ((length =
		    read(at.pipes[2][0], (char *)at.result + total, sizeof(at.result) - total)) > 0)
		total += (size_t)length;
	for (int i = 0; i < 3; i++) {
		check("waited", waitpid(children[i], at.status[i], 0) == children[i]);
		printf("status %#x\n", (unsigned)at.status[i][0]);
	}
	printf("%lu bytes, %#lx, %zu read\n", (unsigned long)at.result[PAGE],
	       (unsigned long)at.result[0], total);
	check("generated elsewhere", blocks[0][2][2] == 0 && blocks[1][0][0] == 0);
	mark();
}
