/*
 * batch PAGES up|down: writes that many pages of an area in order, and counts after each touch how
 * many came with it. It prints the highest count. A term's variant sets how high that should be.
 */
#include "pages_present.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define AREA_PAGES   256
#define FIRST	     64 /* there is room before the pages that are touched, and after them */
#define MOST_TOUCHES 128

static char area[AREA_PAGES * PAGE] __attribute__((aligned(64 * PAGE)));

int main(int argc, char **argv)
{
	int touches = argc == 3 ? atoi(argv[1]) : 0;

	if (touches < 1 || touches > MOST_TOUCHES)
		return 1;

	bool down = argv[2][0] == 'd';
	long there = pages_present(area, AREA_PAGES);
	long most = 0;

	for (int i = 0; i < touches; i++) {
		long before = there;

		area[(FIRST + (down ? touches - 1 - i : i)) * PAGE] = 1;
		there = pages_present(area, AREA_PAGES);
		if (there - before > most)
			most = there - before;
	}
	printf("touched %d, there %ld, at most %ld with one touch\n", touches, there, most);
	return 0;
}
