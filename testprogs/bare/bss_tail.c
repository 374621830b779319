/*
 * bss_tail: .data that ends inside a page and .bss that begins in the rest of it. The file's bytes
 * after .data are on that page too (section headers, symbol names): the loader must clear them,
 * and must not clear .data. Linked in several layouts; nothing else is in .data and .bss.
 */
#include "bare.h"

#define DATA_SIZE 1000
#define BSS_SIZE  (3 * 4096 + 77)

/* Without a libc the program does not relocate itself: no address comes from a table. */
extern volatile unsigned char _edata[] __attribute__((visibility("hidden")));
extern volatile unsigned char _end[] __attribute__((visibility("hidden")));

static volatile unsigned char data[DATA_SIZE] = {
    [0] = 'd', [1] = 'a', [2] = 't', [3] = 'a', [DATA_SIZE - 1] = 'z',
};
static volatile unsigned char zero[BSS_SIZE];

__asm__(".globl _start\n"
	"_start:\n" BARE_START);

static size_t count_nonzero(const volatile unsigned char *from, const volatile unsigned char *end)
{
	size_t count = 0;

	for (; from < end; from++)
		count += *from != 0;
	return count;
}

__attribute__((used)) static _Noreturn void report(void)
{
	struct output output;
	size_t in_data, in_bss, after;

	output.length = 0;
	/* .data is checked after a write to .bss: the page they share must not be replaced. */
	in_bss = count_nonzero(_edata, _end);
	for (size_t i = 0; i < BSS_SIZE; i++)
		zero[i] = 0x5a;
	in_data = count_nonzero(data, data + DATA_SIZE);
	after = count_nonzero(zero, zero + BSS_SIZE);
	put_check(&output, ".data and .bss share a page",
		  ((uintptr_t)_edata - 1) >> 12 == (uintptr_t)_edata >> 12);
	put_decimal(&output, in_bss);
	put_text(&output, " bytes of .bss not zero at entry\n");
	put_decimal(&output, after);
	put_text(&output, " bytes of .bss kept what was written\n");
	put_decimal(&output, in_data);
	put_text(&output, " bytes of .data not zero\n");
	put_check(&output, ".data intact",
		  data[0] == 'd' && data[1] == 'a' && data[2] == 't' && data[3] == 'a' &&
		      data[DATA_SIZE - 1] == 'z');
	finish(&output, in_bss != 0);
}
