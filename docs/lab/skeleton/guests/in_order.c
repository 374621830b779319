/*
 * in_order: writes the first half, and a little more, of eight areas in order. Then it counts the
 * pages in memory: 540 if the pager brings in one at a time, and a few more if it looks ahead. It
 * counts last, so that it makes no system call between the touches.
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
