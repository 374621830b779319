/*
 * Which physical frame a page gets. A strategy is a pure function: from the page's number and the
 * order of its first touch to a condition on the frame's number. Frames whose numbers agree modulo
 * the number of a cache's bins compete for the same lines: they have the same color. Pure and
 * async-signal-safe; inline functions are used on both sides of the jump.
 */
#pragma once

#include "common/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum strategy_kind {
	STRATEGY_NONE,	      /* the kernel chooses */
	STRATEGY_EXACT,	      /* the frame that the page had in an earlier run */
	STRATEGY_MODULO,      /* frame % base == result, for every page */
	STRATEGY_COLORING,    /* frame % base == page % base: adjacent pages differ */
	STRATEGY_BIN_HOPPING, /* the next color for each new page, in the order of first touch */
};

/* A page and its frame in an earlier run. */
struct frame_record {
	uint64_t page, frame; /* page: its address divided by PAGE_BYTES */
};

struct frame_strategy {
	enum strategy_kind kind;
	uint64_t base;	 /* for modulo; for coloring and bin hopping the number of bins */
	uint64_t result; /* for modulo; for bin hopping the first color. Less than base */
	/* For exact: sorted by page. */
	const struct frame_record *frames;
	uint64_t frame_count;
	const char *file; /* for exact: the file with the frames; a part of the parsed text */
};

/* A frame's condition: frame % base == result. */
struct frame_wanted {
	uint64_t base; /* FRAME_ANY: no condition; FRAME_EXACT: the frame is `result` itself */
	uint64_t result;
};

#define FRAME_ANY UINT64_C(0)
#define FRAME_EXACT                                                                                \
	UINT64_MAX /* larger than any frame's number, so that the remainder is the frame itself */

#define STRATEGY_BASE_MAX (UINT64_C(1) << 20)

/* The index of the first record of this page or a later one; frame_count if there is none. */
static inline uint64_t strategy_record(const struct frame_strategy *strategy, uint64_t page)
{
	uint64_t low = 0, high = strategy->frame_count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (strategy->frames[middle].page < page)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* `order`: the number of pages with this strategy that were touched before this one. */
static inline struct frame_wanted strategy_wanted(const struct frame_strategy *strategy,
						  uint64_t page, uint64_t order)
{
	struct frame_wanted wanted = {.base = strategy->base, .result = strategy->result};
	uint64_t record;

	if (strategy->kind == STRATEGY_COLORING)
		wanted.result = page % strategy->base;
	if (strategy->kind == STRATEGY_BIN_HOPPING)
		wanted.result = (strategy->result + order) % strategy->base;
	if (strategy->kind == STRATEGY_EXACT) {
		record = strategy_record(strategy, page);
		wanted = (struct frame_wanted){.base = FRAME_ANY};
		if (record < strategy->frame_count && strategy->frames[record].page == page)
			wanted = (struct frame_wanted){FRAME_EXACT, strategy->frames[record].frame};
	}
	return wanted;
}

/* Whether a frame meets the condition. False without a condition: then no frame was wanted. */
static inline bool strategy_accepts(struct frame_wanted wanted, uint64_t frame)
{
	return wanted.base != FRAME_ANY && frame % wanted.base == wanted.result;
}

/*
 * Reads none, exact:FILE, modulo:BASE,RESULT, coloring[:BINS] or bin-hopping[:BINS[,START]]. The
 * result points into the text. On failure the sentence starts with `option`. `bins` is used if the
 * text names no number.
 */
bool strategy_parse(const char *option, const char *text, uint64_t bins,
		    struct frame_strategy *strategy, struct error *error);

/* Writes the text that strategy_parse() reads, without the file. Returns `text`. */
const char *strategy_text(const struct frame_strategy *strategy, char *text, size_t bytes);
