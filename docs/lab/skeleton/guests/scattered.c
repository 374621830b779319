/*
 * scattered: writes 32 pages, no two of them neighbors and not in order. Then it counts the pages
 * in memory. Here every page that was brought in ahead was brought in for nothing.
 */
#include "pages_present.h"

#include <stdio.h>

#define TOUCHES 32
#define SPACING 8

/* Away from libc's variables: their faults would look like the beginning of the pattern. */
static char area[TOUCHES * SPACING * PAGE] __attribute__((aligned(64 * PAGE)));

int main(void)
{
	for (int i = 0; i < TOUCHES; i++)
		area[i * 13 % TOUCHES * SPACING * PAGE] = 1;
	printf("touched %d, there %ld\n", TOUCHES, pages_present(area, TOUCHES * SPACING));
	return 0;
}
