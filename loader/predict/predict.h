/*
 * Prediction: which pages to bring in beside the one that was touched.
 *
 * A policy is a pure function of the touches so far. It makes no system call and keeps what it
 * remembers in a struct policy_state, so that it can be tested on written-out sequences, and run
 * on recorded ones (bench/replay). Page numbers are addresses divided by the page size.
 */
#ifndef LOADER_PREDICT_H
#define LOADER_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What becomes of a page. Revealing it lets the kernel fill it at the first touch: a wrong guess
 * costs nothing, a right one the kernel's fault. Populating it fills it now, which saves that
 * fault, and wastes a page when the guess was wrong. Huge: revealed, and the kernel is asked to
 * fill 2 MiB at a touch.
 */
enum bring { BRING_REVEAL, BRING_POPULATE, BRING_HUGE };

/* Why: reasons.def has the words. */
enum reason {
#define REASON(name, text) REASON_##name,
#include "loader/predict/reasons.def"
#undef REASON
};

/* A touch of a hidden page, the region that it is in, and what the system has to offer. */
struct touch {
	uint64_t page;			   /* page number */
	uint64_t region_start, region_end; /* page numbers; end is exclusive */
	bool write;			   /* false: it was only read, or executed */
	bool huge_pages;		   /* BRING_HUGE does something here */
};

/*
 * What to do: `pages` pages from `first` on, each `step` pages from the next. If the touched one
 * is not among them, it is brought in, too. The pager cuts all at the bounds of the region.
 */
struct prediction {
	uint64_t first; /* page number */
	uint64_t pages; /* at least 1 */
	uint64_t step;	/* at least 1 */
	enum bring bring;
	enum reason reason;
};

/* A walk through memory: where it is expected next, and how far it has come. */
struct stream {
	uint64_t up, down; /* page numbers that would go on with it; 0: no stream */
	uint64_t window;   /* pages that came with its last prediction */
	uint64_t length;   /* pages that it has brought in */
	uint64_t used;	   /* when it was last right, in touches */
};

#define POLICY_STREAMS 8
#define POLICY_HISTORY 16

/* The parameter is set, the rest all zero, before the first touch. */
struct policy_state {
	uint64_t parameter; /* pages: what --policy=NAME,pages=N says */
	uint64_t touches;
	uint64_t expected; /* the page after the last one brought in; 0 before the first touch */
	int64_t counter;   /* of right predictions, for `counter` */
	uint64_t window;   /* pages, for `readahead` and `leap` */
	uint64_t misses;   /* writes that nothing expected, halved by each that was */
	uint64_t reads;	   /* in a row */
	uint64_t last;	   /* page touched before */
	int64_t deltas[POLICY_HISTORY];
	int64_t voted;	       /* the delta that the last prediction went by, for `leap` */
	uint64_t region_start; /* of the touch before */
	struct stream streams[POLICY_STREAMS];
};

typedef struct prediction policy_function(struct policy_state *state, const struct touch *touch);

policy_function predict_none, predict_counter, predict_next, predict_block, predict_readahead,
    predict_leap, predict_stride, predict_adaptive;

/* The touched page alone. */
static inline struct prediction predict_one(const struct touch *touch)
{
	return (struct prediction){.first = touch->page, .pages = 1, .step = 1};
}

static inline uint64_t predict_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

#endif
