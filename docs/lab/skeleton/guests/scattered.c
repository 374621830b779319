/*
 * scattered: writes 32 pages, no two of them neighbours and not in order; then counts what is
 * there. Here every page that was brought in ahead is one in vain.
 */
#include "pages_present.h"

#include <stdio.h>

#define TOUCHES 32
#define SPACING 8

/* Away from libc's own variables, whose faults would look like the pattern's beginning. */
static char area[TOUCHES * SPACING * PAGE] __attribute__((aligned(64 * PAGE)));

int main(void)
{
	for (int i = 0; i < TOUCHES; i++)
		area[i * 13 % TOUCHES * SPACING * PAGE] = 1;
	printf("touched %d, there %ld\n", TOUCHES, pages_present(area, TOUCHES * SPACING));
	return 0;
}
