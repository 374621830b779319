/*
 * signal_collector: as a garbage collector does: pages of .bss and .data are protected, and the
 * handler of SIGSEGV makes each accessible when it is used. Thousands of faults; most of the pages
 * are protected before they were ever touched.
 */
#include "guest.h"

#define PAGES  48
#define ROUNDS 30

static char zeros[PAGES * PAGE] __attribute__((aligned(PAGE)));
static char sevens[PAGES * PAGE] __attribute__((aligned(PAGE))) = {[0 ... PAGES * PAGE - 1] = 7};

static long faults, strange;

static void on_fault(int number, siginfo_t *info, void *context)
{
	char *page = (char *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1));

	faults++;
	if (number != SIGSEGV || info->si_code != SEGV_ACCERR)
		strange++;
	if ((size_t)(page - zeros) >= sizeof(zeros) && (size_t)(page - sevens) >= sizeof(sevens))
		signal(SIGSEGV, SIG_DFL);
	else
		mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

/* Every round touches the pages in another order and at another place. */
static long use(char *area, int round)
{
	long sum = 0;

	for (int i = 0; i < PAGES; i++) {
		volatile char *byte = area + (i * 5 + round) % PAGES * PAGE + round * 100;

		sum += *byte;
		*byte = (char)(*byte + 1);
	}
	return sum;
}

int main(void)
{
	long sum = 0;

	HANDLE_INFO(on_fault, 0, SIGSEGV);
	for (int round = 0; round < ROUNDS; round++) {
		int protection = round % 2 == 0 ? PROT_NONE : PROT_READ;

		if (mprotect(zeros, sizeof(zeros), protection) != 0 ||
		    mprotect(sevens, sizeof(sevens), protection) != 0)
			puts("mprotect failed");
		sum += use(zeros, round) + use(sevens, round);
	}
	printf("sum %ld, faults %ld, strange %ld\n", sum, faults, strange);

	/* One page by one page, as a write barrier would. */
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < PAGES; i += 3) {
			mprotect(zeros + i * PAGE, PAGE, PROT_READ);
			sum += zeros[i * PAGE];
			memset(zeros + i * PAGE, round, PAGE);
		}
	for (size_t i = 0; i < sizeof(zeros); i++)
		sum += zeros[i] + sevens[i];
	printf("sum %ld, faults %ld, strange %ld\n", sum, faults, strange);
	check("as many as expected", faults == 2L * PAGES * ROUNDS + PAGES / 3 * ROUNDS);
	mark();
}
