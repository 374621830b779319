/*
 * placed: prints one line. It is linked at addresses where programs are not usually found: low
 * ones, ones where a loader itself may be, and ones where nothing can be mapped. PLACED_BSS is the
 * size of an array in .bss that makes it cover a range.
 */
#include "bare.h"

#ifndef PLACED_BSS
#define PLACED_BSS 4096
#endif

static volatile unsigned char covered[PLACED_BSS];

__asm__(".globl _start\n"
	"_start:\n" BARE_START);

__attribute__((used)) static _Noreturn void report(void)
{
	struct output output;

	output.length = 0;
	covered[0] = covered[PLACED_BSS - 1];
	put_text(&output, "hello from ");
	put_hex(&output, (uintptr_t)report & ~0xfffUL);
	put_character(&output, '\n');
	finish(&output, 0);
}
