/*
 * residency: how many pages of its .rodata, .data and .bss are present at entry, and of its text,
 * according to /proc/self/pagemap. All of its code is on one page, and until it has counted it
 * touches nothing but that page and the stack. This is what makes the three loaders different.
 */
#include "bare.h"

#define PAGE_SIZE   4096
#define DATA_PAGES  16
#define BSS_PAGES   64
#define PRESENT_BIT 63

static const unsigned char in_rodata[DATA_PAGES * PAGE_SIZE]
    __attribute__((aligned(PAGE_SIZE))) = {1};
static unsigned char in_data[DATA_PAGES * PAGE_SIZE] __attribute__((aligned(PAGE_SIZE))) = {1};
static unsigned char in_bss[BSS_PAGES * PAGE_SIZE] __attribute__((aligned(PAGE_SIZE)));
extern const char pagemap_path[] __attribute__((visibility("hidden")));

/* The path is in .text, so that reading it touches no other page. */
__asm__(".globl _start\n"
	"_start:\n" BARE_START "pagemap_path:\n"
	"	.asciz \"/proc/self/pagemap\"\n");

static long count_present(long file, const void *start, long pages)
{
	long present = 0;

	for (long i = 0; i < pages; i++) {
		uint64_t entry = 0;
		long place = (long)((uintptr_t)start / PAGE_SIZE + (uintptr_t)i) * 8;

		bare_call(__NR_pread64, file, (long)&entry, sizeof(entry), place);
		present += entry >> PRESENT_BIT & 1;
	}
	return present;
}

static void put_count(struct output *output, const char *name, long present, long pages)
{
	put_text(output, name);
	put_decimal(output, (uint64_t)present);
	put_text(output, " of ");
	put_decimal(output, (uint64_t)pages);
	put_character(output, '\n');
}

__attribute__((used)) static _Noreturn void report(void)
{
	struct output output;
	volatile char path[32];
	int i = -1;

	do {
		i++;
		path[i] = pagemap_path[i];
	} while (path[i]);

	long file = bare_call(__NR_openat, -1, (long)path, 0, 0);
	long text = count_present(file, (const void *)report, 1);
	long rodata = count_present(file, in_rodata, DATA_PAGES);
	long data = count_present(file, in_data, DATA_PAGES);
	long bss = count_present(file, in_bss, BSS_PAGES);

	output.length = 0;
	put_count(&output, "text ", text, 1);
	put_count(&output, "rodata ", rodata, DATA_PAGES);
	put_count(&output, "data ", data, DATA_PAGES);
	put_count(&output, "bss ", bss, BSS_PAGES);
	put_check(&output, "contents intact",
		  *(volatile const unsigned char *)in_rodata == 1 &&
		      *(volatile unsigned char *)in_data == 1 &&
		      *(volatile unsigned char *)in_bss == 0);
	finish(&output, file < 0);
}
