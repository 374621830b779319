/* Functions for tests/order_linkers.bats: hot, cold, with a cold part, changed by the compiler,
 * with two names. */
#include <stdio.h>
#include <stdlib.h>

#define CALLED __attribute__((noinline))

CALLED int last(int x)
{
	return x + 5;
}
int other_name(int) __attribute__((alias("last")));

CALLED int never_called(int x)
{
	return x + 6;
}

CALLED static int helper(int x)
{
	if (__builtin_expect(x > 1000, 0)) {
		puts("too large");
		abort();
	}
	return x + 1;
}

CALLED static int twice(int x, int y)
{
	return helper(x) * y + helper(y);
}

__attribute__((constructor)) static void begin(void)
{
	helper(3);
}

__attribute__((cold, noinline)) void rarely(void)
{
	puts("cold");
}

__attribute__((hot, noinline)) int often(int x)
{
	return x * 3;
}

int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", twice(argc, 7) + often(argc) + other_name(argc));
	if (argc < 4)
		rarely();
	return 0;
}
