/*
 * memory_counted: a program counts its own page faults (perf_event_open).
 *
 * No mark: to count them ends lazy paging.
 */
#include "guest.h"

#define PAGES	       600
#define SOFTWARE       1
#define PAGE_FAULTS    2
#define NOT_THE_KERNEL (1 << 5)
#define THP_DISABLE    41 /* PR_SET_THP_DISABLE */

static volatile char area[PAGES * PAGE];

/* The structure of <linux/perf_event.h>, which musl lacks: type, size, config, and flags. */
static uint32_t attributes[28] = {SOFTWARE, 112, PAGE_FAULTS, [10] = NOT_THE_KERNEL};

int main(void)
{
	uint64_t before = 0, after = 0;
	int counter;

	prctl(THP_DISABLE, 1, 0, 0, 0);
	counter = (int)syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0);
	if (counter < 0 || read(counter, &before, sizeof(before)) != sizeof(before))
		skip("faults cannot be counted here");
	for (int page = 100; page < 400; page += 3)
		area[page * PAGE] = 1;
	must(read(counter, &after, sizeof(after)) == sizeof(after));
	printf("faults: %d\n", (int)(after - before));
}
