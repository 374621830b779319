/*
 * What a page costs that comes through a SIGSEGV handler, and what the parts of that cost by
 * themselves. Prints nanoseconds a page, one line a figure, medians over rounds:
 *
 *   signal    a fault, the handler's start and its return, nothing else
 *   madvise   MADV_GUARD_REMOVE of one page
 *   mprotect  of one page, which joins the island in front of it
 *   fault     the kernel's own fault on a fresh page
 *   touch     one write to each of many fresh .bss pages: under a loader, all of the above
 *
 * Run natively for the parts, under on_demand_loader --policy=none for the whole.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#define PAGE   4096
#define PAGES  2048
#define ROUNDS 9

static uint8_t memory[ROUNDS][PAGES * PAGE];

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* The access is `movb $1, (%rdi)`, three bytes long. */
static void skip(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 3;
}

static void touch(uint8_t *page)
{
	__asm__ volatile("movb $1, (%%rdi)" : : "D"(page) : "memory");
}

static uint8_t *map(int protection)
{
	void *area =
	    mmap(NULL, (size_t)PAGES * PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		exit(125);
	return area;
}

static void touch_all(uint8_t *area)
{
	for (int i = 0; i < PAGES; i++)
		touch(area + (size_t)i * PAGE);
}

static void remove_all(uint8_t *area)
{
	for (int i = 0; i < PAGES; i++)
		madvise(area + (size_t)i * PAGE, PAGE, 103);
}

static void permit_all(uint8_t *area)
{
	for (int i = 0; i < PAGES; i++)
		mprotect(area + (size_t)i * PAGE, PAGE, PROT_READ | PROT_WRITE);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The median of ROUNDS measurements of each(area), where areas are what next() makes. */
static void measure(const char *name, uint8_t *(*next)(int round), void (*each)(uint8_t *))
{
	uint64_t samples[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		uint8_t *area = next(round);
		uint64_t begin = now();

		each(area);
		samples[round] = now() - begin;
	}
	qsort(samples, ROUNDS, sizeof(samples[0]), compare);
	printf("%s %lu\n", name, (unsigned long)(samples[ROUNDS / 2] / PAGES));
}

static uint8_t *inaccessible(int round)
{
	(void)round;
	return map(PROT_NONE);
}

static uint8_t *guarded(int round)
{
	uint8_t *area = map(PROT_READ | PROT_WRITE);

	(void)round;
	madvise(area, (size_t)PAGES * PAGE, 102);
	return area;
}

static uint8_t *fresh(int round)
{
	(void)round;
	return map(PROT_READ | PROT_WRITE);
}

static uint8_t *own(int round)
{
	return memory[round];
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO};

	measure("touch", own, touch_all);
	if (argc > 1 && strcmp(argv[1], "parts") == 0) {
		measure("fault", fresh, touch_all);
		measure("madvise", guarded, remove_all);
		measure("mprotect", inaccessible, permit_all);
		sigaction(SIGSEGV, &action, NULL);
		measure("signal", inaccessible, touch_all);
	}
	return 0;
}
