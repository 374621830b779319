/* straddling.h: places in untouched .bss for what a system call reads or writes. */
#pragma once

#define PAGE 4096

static char area[512 * PAGE] __attribute__((aligned(PAGE)));

/* Each time another place: eight bytes of it are on one page, the rest is on the next. */
static inline void *straddling(void)
{
	static int page;

	page += 3;
	return area + page * PAGE - 8;
}
