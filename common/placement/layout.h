/*
 * Finds the frame of each page of a process, from /proc/PID/maps and /proc/PID/pagemap (proc(5),
 * Documentation/admin-guide/mm/pagemap.rst). Host code.
 */
#pragma once

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum layout_state {
	LAYOUT_FRAME,	/* in memory */
	LAYOUT_HIDDEN,	/* in memory; the kernel shows its frame only with CAP_SYS_ADMIN */
	LAYOUT_NONE,	/* no frame yet: zeros, or inaccessible memory */
	LAYOUT_FILE,	/* of a file and not mapped; the page cache may have it */
	LAYOUT_SWAPPED, /* swapped, or being migrated */
	LAYOUT_STATES
};

struct layout_page {
	enum layout_state state;
	uint64_t frame; /* number of the frame: physical address divided by the page size */
	bool shared;	/* also mapped by another process, or twice */
	bool huge;	/* part of a huge page that is mapped as one; never set before Linux 6.7 */
};

struct layout_mapping {
	uint64_t start, end; /* addresses; end is exclusive */
	bool from_file;	     /* or of memory that several processes share */
	bool is_private, is_writable;
	const char *name; /* as in /proc/PID/maps; "" for none */
};

/* Functions that are called for mappings and pages, in the order of addresses. */
struct layout_visitor {
	/* Called at the start of a mapping, with the part of it that is visited. */
	void (*mapping)(const struct layout_mapping *mapping, void *context);
	void (*page)(const struct layout_page *page, void *context);
	void *context;
};

/*
 * Visits the pages of a process, 0 for this one, from `start` on below `end`. A page that changes
 * meanwhile is seen in its old or its new state. Fails with a sentence if the process may not be
 * read.
 */
bool layout_read(int process, uint64_t start, uint64_t end, const struct layout_visitor *visitor,
		 struct error *error);

/* Does the same with open files of /proc/PID/. The caller closes them. */
void layout_read_files(FILE *maps, int pagemap, uint64_t start, uint64_t end,
		       const struct layout_visitor *visitor);

/*
 * Text: a line `vma:START END:COUNT` for each mapping, addresses in hexadecimal, and a line for
 * each of its COUNT pages: a frame number, ? (LAYOUT_HIDDEN), N, F or S.
 */
struct layout_text {
	FILE *file;
	bool runs; /* write equal letters in a row as one line, `N 1000` */
	char letter;
	uint64_t repeats;
};

void layout_text_mapping(const struct layout_mapping *mapping, void *text);
void layout_text_page(const struct layout_page *page, void *text);
void layout_text_end(struct layout_text *text);

/* The letter of a state; 0 for LAYOUT_FRAME. */
char layout_letter(enum layout_state state);

/*
 * Reads the pages of such a text that have a frame, sorted by page, into memory from mmap. *first
 * is the start of the first mapping.
 */
struct frame_record;
bool layout_text_read(const char *path, struct frame_record **records, uint64_t *count,
		      uint64_t *first, struct error *error);
