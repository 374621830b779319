/*
 * call_vsyscall: the three calls of the vsyscall page, which the kernel carries out without a
 * `syscall` instruction; what they fill in is on untouched pages of .bss.
 */
#include "guest.h"
#include "gone.h"

static char area[64 * PAGE] __attribute__((aligned(PAGE)));

static long call_page(long place, void *one, void *two)
{
	long (*function)(void *, void *, void *) =
	    (long (*)(void *, void *, void *))(UINT64_C(0xffffffffff600000) + (uint64_t)place);

	return function(one, two, NULL);
}

int main(void)
{
	struct timeval *now = (struct timeval *)(area + 10 * PAGE - 8);
	struct timezone *zone = (struct timezone *)(area + 20 * PAGE - 4);
	time_t *seconds = (time_t *)(area + 30 * PAGE - 4);
	unsigned *processor = (unsigned *)(area + 40 * PAGE),
		 *node = (unsigned *)(area + 50 * PAGE);

	signal(SIGSEGV, on_fault);
	if (sigsetjmp(landing, 1) != 0)
		skip("no vsyscall page here");
	check("time", call_page(0x400, NULL, NULL) > 1000000000);
	if (sigsetjmp(landing, 1) != 0) {
		puts("SIGSEGV");
		return 0;
	}
	check("gettimeofday", call_page(0, now, zone) == 0);
	check("fills it in", now->tv_sec > 1000000000 && zone->tz_minuteswest == 0);
	check("time", call_page(0x400, seconds, NULL) == *seconds);
	check("getcpu", call_page(0x800, processor, node) == 0);
	check("fills it in", *processor < 100000 && *node < 100000);
	mark();
}
