/*
 * Functions that distributions' libelf.a refers to and that no archive next to it contains. The
 * linker uses this file after libelf and the C library, only if one of these names is still
 * undefined. They are weak, because the C library may have provided the others already.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* No header declares them: only compiled code calls them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma weak eu_search_tree_init
#pragma weak eu_search_tree_fini
#pragma weak __isoc23_strtol
#pragma weak rawmemchr
#pragma weak __memcpy_chk
#pragma weak __memmove_chk
#pragma weak __memset_chk
#pragma weak __pread_chk

struct search_tree;

/*
 * libelf.a of elfutils 0.192 lacks its own file of search trees (sourceware.org bug 32293). The
 * trees hold what elf_getdata_rawchunk() has read. Only that function fills them, by functions of
 * the same file that are missing here as well; so a program that calls it cannot be linked. Here
 * the trees stay empty, as elf_begin() makes them, in zeroed memory.
 */
void eu_search_tree_init(struct search_tree *tree, int (*compare)(const void *, const void *))
{
	(void)tree;
	(void)compare;
}

void eu_search_tree_fini(struct search_tree *tree, void (*release)(void *))
{
	(void)tree;
	(void)release;
}

/* strtol() as glibc's headers name it since 2.38. It reads "0b1", too, which libelf never gives. */
long __isoc23_strtol(const char *text, char **end, int base)
{
	return strtol(text, end, base);
}

/* A function that only glibc has. */
void *rawmemchr(const void *text, int byte)
{
	const unsigned char *at = text;

	while (*at != (unsigned char)byte)
		at++;
	return (void *)at;
}

/*
 * Ubuntu compiles libelf with _FORTIFY_SOURCE. It then calls functions of glibc that also get the
 * size of the buffer, and end a program that would write beyond it.
 */
static void check_room(size_t length, size_t room)
{
	if (length > room)
		abort();
}

void *__memcpy_chk(void *to, const void *from, size_t length, size_t room)
{
	check_room(length, room);
	return memcpy(to, from, length);
}

void *__memmove_chk(void *to, const void *from, size_t length, size_t room)
{
	check_room(length, room);
	return memmove(to, from, length);
}

void *__memset_chk(void *start, int byte, size_t length, size_t room)
{
	check_room(length, room);
	return memset(start, byte, length);
}

ssize_t __pread_chk(int file, void *to, size_t length, off_t at, size_t room)
{
	check_room(length, room);
	return pread(file, to, length, at);
}
