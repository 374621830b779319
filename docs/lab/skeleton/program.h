/*
 * program: what the headers of an ELF file say about the program in it.
 */
#pragma once

#include "machine.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MAX_SEGMENTS 16

static inline uintptr_t page_down(uintptr_t address)
{
	return address & ~(PAGE_SIZE - 1);
}

static inline uintptr_t page_up(uintptr_t address)
{
	return page_down(address + PAGE_SIZE - 1);
}

/* A PT_LOAD segment: start <= file_end <= end. What lies between the last two is zero. */
struct segment {
	uintptr_t start;    /* the start of its first page */
	uintptr_t file_end; /* the end of the bytes that come from the file */
	uintptr_t end;	    /* the end of its last page */
	off_t offset;	    /* where start is in the file: a multiple of the page size */
	int protection;	    /* PROT_READ and so on */
};

struct program {
	const char *path;
	int file;
	uintptr_t entry;
	uintptr_t headers;   /* where the program headers are in memory: AT_PHDR */
	size_t header_count; /* all program headers, not only PT_LOAD: AT_PHNUM */
	size_t count;	     /* segments */
	struct segment segments[MAX_SEGMENTS];
};

/*
 * Fills in program. If there is no such file, it stops with 127; if the file cannot be loaded, it
 * stops with 126.
 */
void read_program(struct program *program, const char *path);

/* Returns the segment that has this address, or NULL. It is called in a signal handler, too. */
const struct segment *find_segment(const struct program *program, uintptr_t address);
