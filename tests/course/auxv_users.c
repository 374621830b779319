/*
 * auxv_users: what a C library makes of the auxiliary vector; a line for each entry that it used.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

static __thread volatile int per_thread = 42;

/* The value that a function compiled with -fstack-protector compares with. */
#if defined(__x86_64__)
static uint64_t stack_guard(void)
{
	uint64_t guard;

	__asm__("mov %%fs:0x28, %0" : "=r"(guard));
	return guard;
}
#else
extern uintptr_t __stack_chk_guard;

static uint64_t stack_guard(void)
{
	return __stack_chk_guard;
}
#endif

/* How many of the guard's eight bytes are those at AT_RANDOM. */
static int random_bytes_in_guard(void)
{
	uint64_t guard = stack_guard();
	const char *random = (const char *)getauxval(AT_RANDOM);
	int same = 0;

	for (int i = 0; i < 8; i++)
		same += random[i] == ((const char *)&guard)[i];
	return same;
}

int main(void)
{
	struct timespec time;

	printf("page size %ld\n", sysconf(_SC_PAGESIZE));
	printf("clock ticks a second %ld\n", sysconf(_SC_CLK_TCK));
	printf("secure_getenv(\"A\") %s\n", secure_getenv("A") != NULL ? "is there" : "is NULL");
	printf("thread-local variable %d\n", per_thread);
	printf("the clock %s\n", clock_gettime(CLOCK_MONOTONIC, &time) == 0 ? "goes" : "stands");
	printf("bytes of AT_RANDOM in the stack guard: %d\n", random_bytes_in_guard());
	return 0;
}
