/*
 * scattered: writes 32 pages, no two of them neighbours and not in order; then counts what is
 * there. Here every page that was brought in ahead is one in vain.
 */
#include "pages_present.h"

#include <stdio.h>

#define TOUCHES 32
#define SPACING 8

static char area[TOUCHES * SPACING * PAGE] __attribute__((aligned(PAGE)));

int main(void)
{
	for (int i = 0; i < TOUCHES; i++)
		area[i * 13 % TOUCHES * SPACING * PAGE] = 1;
	printf("touched %d, there %ld\n", TOUCHES, pages_present(area, TOUCHES * SPACING));
	return 0;
}
