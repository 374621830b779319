/*
 * memory_accesses [readable|unreadable]: each instruction of machine/accesses.h touches a page of
 * its own, also from text that is executable only. Prints whether it reads or writes.
 */
#include "guest.h"
#include "machine/accesses.h"

#define LARGEST_PAGE 0x10000

#define DO(kind, instruction)                                                                      \
	access = place += LARGEST_PAGE;                                                            \
	__asm__ volatile(instruction : : "r"(access) : ACCESS_CHANGES);                            \
	puts(#kind);

static char pages[32 * LARGEST_PAGE];

static __attribute__((noinline, aligned(PAGE))) void make_accesses(void)
{
	char *place = pages;
	register char *access __asm__(ACCESS_REGISTER);

	ACCESSES(DO)
}

int main(int argc, char **argv)
{
	const char *text = WORD(1, "readable", "unreadable");
	uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)make_accesses / size * size;

	if (text[0] == 'u')
		must(mprotect((void *)start, size, PROT_EXEC) == 0);
	make_accesses();
	mark();
}
