/*
 * Placement: a program chooses the physical frames of its memory. See placement(3).
 *
 * Functions return 0 or a negative error number, which placement_error() puts into a sentence. They
 * may be called by any thread, one at a time for each struct placement, and not by signal handlers.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum placement_kind {
	PLACEMENT_NONE,	       /* the kernel's choice */
	PLACEMENT_EXACT,       /* page i of a range on frames[i] */
	PLACEMENT_MODULO,      /* frame % base == result */
	PLACEMENT_COLORING,    /* frame % base == page % base; page: its address / 4096 */
	PLACEMENT_BIN_HOPPING, /* frame % base: result, result + 1 and so on, by address */
};

struct placement_strategy {
	enum placement_kind kind;
	uint64_t base;		/* from 1 to 2^20 */
	uint64_t result;	/* below base */
	const uint64_t *frames; /* the caller's, for as long as the strategy is in use */
	size_t frame_count;
};

/* The result for the pages of a range. */
struct placement_counts {
	uint64_t pages;	   /* that the strategy wants a frame for */
	uint64_t placed;   /* moved to such a frame */
	uint64_t already;  /* they were on one */
	uint64_t unplaced; /* there was no frame, or the page cannot be moved: as before */
};

enum placement_state { PLACEMENT_FRAME, PLACEMENT_HIDDEN, PLACEMENT_ABSENT, PLACEMENT_SWAPPED };

struct placement_page {
	enum placement_state state;
	uint64_t frame; /* for PLACEMENT_FRAME; the kernel shows it only to CAP_SYS_ADMIN */
	int shared;	/* another process has the page, too */
};

struct placement;

/*
 * pool_bytes: how much memory may be looked at for frames at once; 0: 256 MiB, or a quarter of what
 * is free. All but what is placed is given back before a function returns.
 */
int placement_open(size_t pool_bytes, struct placement **placement);
void placement_close(struct placement *placement);

/*
 * Places the pages of a range, those in memory and those that are not: they get zeros. The range is
 * made of whole pages, private, anonymous and writable, not locked, and does not hold the caller's
 * own stack. NULL: with the default strategy. Its contents stay; counts may be NULL.
 */
int placement_set(struct placement *placement, void *start, size_t length,
		  const struct placement_strategy *strategy, struct placement_counts *counts);

/* The strategy that the page of an address was last given, or the default one. */
int placement_get(struct placement *placement, const void *address,
		  struct placement_strategy *strategy);

/* PLACEMENT_NONE at first. */
int placement_set_default(struct placement *placement, const struct placement_strategy *strategy);

/* Places with the default strategy all memory that may be placed and was given no other one. */
int placement_set_rest(struct placement *placement, struct placement_counts *counts);

/* Fills in what backs each of length / 4096 pages from start on, of a process; 0: this one. */
int placement_layout(int process, const void *start, size_t length, struct placement_page *pages);

/* Reads modulo:BASE,RESULT, coloring:BINS, bin-hopping:BINS[,START] or none. */
int placement_parse(const char *text, struct placement_strategy *strategy);

const char *placement_error(int error);

#ifdef __cplusplus
}
#endif
