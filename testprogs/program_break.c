/*
 * program_break: where the break starts, and that it grows and shrinks. It starts right after .bss
 * plus up to 1 GiB at random; in a static PIE it is near two thirds of the address space. A program
 * with an interpreter can be there by chance. Raw system calls, because musl's sbrk refuses to move
 * it.
 */
#include "guest.h"

#include <sys/auxv.h>

#define MEGABYTE  (1024UL * 1024)
#define GIGABYTE  (1024 * MEGABYTE)
#define PAGE_SIZE 4096UL

extern char _end[];

/* ELF_ET_DYN_BASE, or a page below it. Addresses end at the power of two above the stack. */
static uintptr_t dynamic_base(void)
{
	uintptr_t end = 1UL << (64 - __builtin_clzl((uintptr_t)__builtin_frame_address(0)));

	return (end - PAGE_SIZE) / 3 * 2 & -PAGE_SIZE;
}

static uintptr_t set_break(uintptr_t address)
{
	return (uintptr_t)syscall(SYS_brk, address);
}

static int is_zero(const char *from, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (from[i])
			return 0;
	return 1;
}

int main(void)
{
	static char buffer[4096];
	uintptr_t start = set_break(0);
	uintptr_t end = ((uintptr_t)_end + PAGE_SIZE - 1) & -PAGE_SIZE;

	/* malloc would take a buffer from the memory that goes away here. */
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	check("the break lies within 1 GiB after .bss",
	      start >= end && start <= end + GIGABYTE + 2 * PAGE_SIZE + MEGABYTE);
	if (getauxval(AT_BASE) == 0)
		check("the break lies within 1 GiB of two thirds of the address space",
		      start >= dynamic_base() &&
			  start <= dynamic_base() + GIGABYTE + 2 * PAGE_SIZE + MEGABYTE);

	uintptr_t grown = set_break(start + MEGABYTE);

	check("it grows by 1 MB", grown == start + MEGABYTE);
	if (grown == start + MEGABYTE) {
		check("the new memory is zero", is_zero((char *)start, MEGABYTE));
		memset((char *)start, 0xaa, MEGABYTE);
	}
	check("it shrinks to where it was", set_break(start) == start);
	check("it does not shrink below its start", set_break(start - 16 * MEGABYTE) == start);
	check("it grows again", set_break(start + MEGABYTE) == start + MEGABYTE);
	check("the memory is zero again", is_zero((char *)start, MEGABYTE));
}
