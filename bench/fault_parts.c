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
#include <stdbool.h>
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

/* Headers older than Linux 6.13 do not have these. */
#define GUARD_INSTALL 102
#define GUARD_REMOVE  103

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

static void remove_guard(uint8_t *page)
{
	madvise(page, PAGE, GUARD_REMOVE);
}

static void permit(uint8_t *page)
{
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

static uint8_t *map(int protection, bool guarded)
{
	size_t bytes = (size_t)PAGES * PAGE;
	void *area = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED)
		exit(125);
	if (guarded)
		madvise(area, bytes, GUARD_INSTALL);
	return area;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The median of ROUNDS measurements of each(page), in fresh .bss or in a new mapping. */
static void measure(const char *name, const int *protection, bool guarded, void (*each)(uint8_t *))
{
	uint64_t samples[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		uint8_t *area = protection != NULL ? map(*protection, guarded) : memory[round];
		uint64_t begin = now();

		for (int i = 0; i < PAGES; i++)
			each(area + (size_t)i * PAGE);
		samples[round] = now() - begin;
	}
	qsort(samples, ROUNDS, sizeof(samples[0]), compare);
	printf("%s %lu\n", name, (unsigned long)(samples[ROUNDS / 2] / PAGES));
}

int main(int argc, char **argv)
{
	static const int none = PROT_NONE, all = PROT_READ | PROT_WRITE;
	struct sigaction action = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO};

	measure("touch", NULL, false, touch);
	if (argc > 1 && strcmp(argv[1], "parts") == 0) {
		measure("fault", &all, false, touch);
		measure("madvise", &all, true, remove_guard);
		measure("mprotect", &none, false, permit);
		sigaction(SIGSEGV, &action, NULL);
		measure("signal", &none, false, touch);
	}
	return 0;
}
