/*
 * memory_no_mappings: the process may have no more mappings: every page of .bss can be touched all
 * the same, here every second one. memory_no_mappings touch|call
 */
#include "guest.h"

#define PAGES 480

static char area[PAGES * PAGE] __attribute__((aligned(PAGE)));

/* Neighbors differ in protection, so that each is a separate mapping. */
static int use_up(void)
{
	static const int protections[] = {PROT_READ, PROT_NONE};
	unsigned long count = 0;
	char *place =
	    mmap(NULL, 1UL << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (place == MAP_FAILED)
		return 0;
	for (; count < 1UL << 20; count++)
		if (mprotect(place + 2 * count * PAGE, PAGE, protections[0]) != 0)
			break;
	while (mmap(NULL, PAGE, protections[count % 2], MAP_SHARED | MAP_ANONYMOUS, -1, 0) !=
	       MAP_FAILED)
		count++;
	return errno == ENOMEM && count < 1UL << 20;
}

int main(int argc, char **argv)
{
	int by_call = strcmp(WORD(1, "touch", "call"), "call") == 0, sum = 0, ends[2];

	must(pipe(ends) == 0);
	if (!use_up())
		skip("the number of mappings is not limited enough");
	for (int page = 1; page < PAGES; page += 2) {
		if (by_call) {
			if (write(ends[1], "a", 1) != 1 ||
			    read(ends[0], area + page * PAGE, 1) != 1)
				return 2;
		} else {
			area[page * PAGE] = 'a';
		}
		sum += area[page * PAGE] == 'a';
	}
	printf("%d pages\n", sum);
	mark();
}
