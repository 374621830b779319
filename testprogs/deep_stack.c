/*
 * deep_stack: 6 MB of recursion, which the default limit of 8 MB allows. The stack must be one that
 * grows, not a block of the loader's own, and a handler for lazy pages must not be on it.
 */
#include <stdio.h>

#define FRAME 4096
#define DEPTH (6 * 1024 * 1024 / FRAME)

static int __attribute__((noinline)) descend(int depth)
{
	volatile char frame[FRAME - 64];

	frame[0] = (char)depth;
	frame[FRAME - 65] = 1;
	if (depth == 0)
		return 0;
	return descend(depth - 1) + frame[FRAME - 65] + (frame[0] != (char)depth);
}

int main(void)
{
	printf("depth %d\n", descend(DEPTH));
}
