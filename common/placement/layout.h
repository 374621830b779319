/*
 * Which frame backs each page of a process, from /proc/PID/maps and /proc/PID/pagemap (proc(5),
 * Documentation/admin-guide/mm/pagemap.rst). Host code.
 */
#ifndef COMMON_PLACEMENT_LAYOUT_H
#define COMMON_PLACEMENT_LAYOUT_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum layout_state {
	LAYOUT_FRAME,	/* in memory */
	LAYOUT_HIDDEN,	/* in memory; its frame is told to those with CAP_SYS_ADMIN only */
	LAYOUT_NONE,	/* no frame yet: zeros, or memory that is not accessible */
	LAYOUT_FILE,	/* of a file, not mapped; the page cache may have it */
	LAYOUT_SWAPPED, /* or on its way somewhere else */
	LAYOUT_STATES
};

struct layout_page {
	enum layout_state state;
	uint64_t frame; /* its number: physical address divided by the page size */
	bool shared;	/* mapped by another process, too, or twice */
	bool huge;	/* part of a huge page that is mapped as one; never before Linux 6.7 */
};

struct layout_mapping {
	uint64_t start, end; /* addresses; end is exclusive */
	bool from_file;	     /* or of memory that several processes share */
	bool is_private, is_writable;
	const char *name; /* as proc(5)'s maps has it; "" for none */
};

/* Functions that are called for mappings and pages, in the order of addresses. */
struct layout_visitor {
	/* Called when a mapping begins: with the part of it that was asked for. */
	void (*mapping)(const struct layout_mapping *mapping, void *context);
	void (*page)(const struct layout_page *page, void *context);
	void *context;
};

/*
 * Visits the pages of a process, 0 for this one, from `start` on below `end`. A page that changes
 * meanwhile is seen as it was or as it is. Fails with a sentence where the process may not be read.
 */
bool layout_read(int process, uint64_t start, uint64_t end, const struct layout_visitor *visitor,
		 struct error *error);

/* The same from open files of /proc/PID/. The caller closes them. */
void layout_read_files(FILE *maps, int pagemap, uint64_t start, uint64_t end,
		       const struct layout_visitor *visitor);

/*
 * Text: a line `vma:START END:COUNT` for each mapping, addresses in hexadecimal, and a line for
 * each of its COUNT pages: a frame number, ? (LAYOUT_HIDDEN), N, F or S.
 */
struct layout_text {
	FILE *file;
	bool runs; /* equal letters that follow each other as one line, `N 1000` */
	char letter;
	uint64_t repeats;
};

void layout_text_mapping(const struct layout_mapping *mapping, void *text);
void layout_text_page(const struct layout_page *page, void *text);
void layout_text_end(struct layout_text *text);

/* The letter of a state; 0 for LAYOUT_FRAME. */
char layout_letter(enum layout_state state);

/*
 * Reads the pages of such a text that have a frame, sorted by page, into memory of their own;
 * *first is where the first mapping starts.
 */
struct frame_record;
bool layout_text_read(const char *path, struct frame_record **records, uint64_t *count,
		      uint64_t *first, struct error *error);

#endif
