/*
 * in_order: writes the first half, and a little more, of eight areas in order; then counts what is
 * there. A pager that brings in one page at a time has 540, one that looks ahead a few more. It
 * counts last, so that no system call comes between the touches.
 */
#include "pages_present.h"

#include <stdio.h>

#define AREAS	   8
#define AREA_PAGES 128

static char areas[AREAS][AREA_PAGES * PAGE] __attribute__((aligned(PAGE)));

int main(void)
{
	long touched = 0;

	for (int i = 0; i < AREAS; i++) {
		for (int page = 0; page < AREA_PAGES / 2 + i; page++) {
			areas[i][page * PAGE] = 1;
			touched++;
		}
	}
	printf("touched %ld, there %ld\n", touched, pages_present(areas, AREAS * AREA_PAGES));
	return 0;
}
