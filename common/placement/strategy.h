/*
 * Which physical frame a page gets. A strategy is a pure function from the number of a page and the
 * order of its first touch to a condition on the number of its frame. Frames whose numbers agree
 * modulo the bins of a cache compete for the same lines of it: they have the same colour.
 *
 * Pure and async-signal-safe; what is inline is used on both sides of the jump.
 */
#ifndef COMMON_PLACEMENT_STRATEGY_H
#define COMMON_PLACEMENT_STRATEGY_H

#include "common/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum strategy_kind {
	STRATEGY_NONE,	      /* the kernel's choice */
	STRATEGY_EXACT,	      /* the frame that the page had in an earlier run */
	STRATEGY_MODULO,      /* frame % base == result, for every page */
	STRATEGY_COLORING,    /* frame % base == page % base: neighbours differ */
	STRATEGY_BIN_HOPPING, /* the next colour for each new page, in the order of first touch */
};

/* Of a page in an earlier run. */
struct frame_record {
	uint64_t page, frame; /* page: its address divided by PAGE_BYTES */
};

struct frame_strategy {
	enum strategy_kind kind;
	uint64_t base;	 /* of modulo; the bins of coloring and bin hopping */
	uint64_t result; /* of modulo; the first colour of bin hopping. Below base */
	/* Of exact: sorted by page. */
	const struct frame_record *frames;
	uint64_t frame_count;
	const char
	    *file; /* of exact: the file that frames are read from; part of the text parsed */
};

/* A frame's condition: frame % base == result. */
struct frame_wanted {
	uint64_t base; /* FRAME_ANY: none; FRAME_EXACT: the frame is result itself */
	uint64_t result;
};

#define FRAME_ANY UINT64_C(0)
#define FRAME_EXACT                                                                                \
	UINT64_MAX /* no frame's number is as high, so that the remainder is the frame */

#define STRATEGY_BASE_MAX (UINT64_C(1) << 20)

/* The first record of this page or a later one: frame_count if there is none. */
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

/* `order`: how many pages with this strategy were touched before this one. */
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

/* Whether a frame meets the condition. Without a condition none does: none was wanted. */
static inline bool strategy_accepts(struct frame_wanted wanted, uint64_t frame)
{
	return wanted.base != FRAME_ANY && frame % wanted.base == wanted.result;
}

/*
 * Reads none, exact:FILE, modulo:BASE,RESULT, coloring[:BINS] or bin-hopping[:BINS[,START]], of
 * which the text stays the caller's. `option` begins the sentence where it is none of them; `bins`
 * are meant where the text names none.
 */
bool strategy_parse(const char *option, const char *text, uint64_t bins,
		    struct frame_strategy *strategy, struct error *error);

/* Writes the text that strategy_parse() read, without the file. Returns `text`. */
const char *strategy_text(const struct frame_strategy *strategy, char *text, size_t bytes);

#endif
