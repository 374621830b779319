/*
 * Prediction: which pages to bring in beside the one that was touched.
 *
 * A policy is a pure function of the touches so far. It makes no system call and keeps what it
 * remembers in a struct policy_state, so that it can be tested on written-out sequences, and run
 * on recorded ones (bench/replay). Page numbers are addresses divided by the page size.
 */
#ifndef LOADER_PREDICT_H
#define LOADER_PREDICT_H

#include "common/huge_pages.h"
#include "common/page.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What becomes of a page. Revealing it lets the kernel fill it at the first touch: a wrong guess
 * costs nothing, a right one the kernel's fault. Populating it fills it now, which saves that
 * fault, and wastes a page when the guess was wrong. Huge: revealed, and the kernel is asked to
 * fill 2 MiB at a touch. Block: whole aligned 2 MiB are revealed where the kernel fills so much
 * unasked; pages that are there become part of their block's huge page.
 */
enum bring { BRING_REVEAL, BRING_POPULATE, BRING_HUGE, BRING_BLOCK };

/* Why pages are brought in: reasons.def has the words. */
enum reason {
#define REASON(name, text) REASON_##name,
#include "loader/predict/reasons.def"
#undef REASON
};

/* A touch of a hidden page, the region that it is in, and what the system has to offer. */
struct touch {
	uint64_t page;			   /* page number */
	uint64_t region_start, region_end; /* page numbers; end is exclusive */
	bool from_file;			   /* false: anonymous memory */
	bool write;			   /* false: it was only read, or executed */
	enum huge_pages huge_pages;	   /* of this region */
	uint64_t block_pages;		   /* revealed, of the 2 MiB block around the page */
};

/*
 * What a policy answers: bring in `pages` pages from `first` on, each `step` pages from the next.
 * If the touched page is not among them, it is brought in, too. The pager cuts all at the bounds of
 * the region.
 */
struct prediction {
	uint64_t first; /* page number */
	uint64_t pages; /* at least 1 */
	uint64_t step;	/* at least 1 */
	enum bring bring;
	enum reason reason;
};

/*
 * What a policy goes by. Its file has a struct of its own for what it remembers, all zero before
 * the first touch, and gets it with POLICY_MEMORY.
 */
#define POLICY_WORDS 52

struct policy_state {
	uint64_t parameter; /* pages: what --policy=NAME,pages=N says */
	uint64_t memory[POLICY_WORDS];
};

#define POLICY_MEMORY(type, state)                                                                 \
	({                                                                                         \
		_Static_assert(sizeof(type) <= sizeof((state)->memory), "POLICY_WORDS");           \
		(type *)(void *)(state)->memory;                                                   \
	})

typedef struct prediction policy_function(struct policy_state *state, const struct touch *touch);

/*
 * All policies: the name, the function, and `pages`: the default, the least and the most; 0: the
 * policy has no such parameter. To add a policy: docs/CONTRIBUTING.md.
 */
#define POLICIES(POLICY)                                                                           \
	POLICY("none", predict_none, 0, 0, 0)                                                      \
	POLICY("fault-around", predict_fault_around, 16, 1, 4096)                                  \
	POLICY("counter", predict_counter, 0, 0, 0)                                                \
	POLICY("next-N", predict_next, 8, 1, 4096)                                                 \
	POLICY("block", predict_block, 64, 1, 1 << 20)                                             \
	POLICY("readahead", predict_readahead, 64, 1, 4096)                                        \
	POLICY("leap", predict_leap, 64, 1, 4096)                                                  \
	POLICY("stride", predict_stride, 64, 1, 4096)                                              \
	POLICY("adaptive", predict_adaptive, 0, 0, 0)

#define POLICY_FUNCTION(name, function, ...) policy_function function;
POLICIES(POLICY_FUNCTION)
#undef POLICY_FUNCTION

/* The touched page alone. */
static inline struct prediction predict_one(const struct touch *touch)
{
	return (struct prediction){.first = touch->page, .pages = 1, .step = 1};
}

/* The aligned block of so many pages that a page is in, revealed. */
static inline struct prediction predict_around(uint64_t page, uint64_t pages, enum reason reason)
{
	return (struct prediction){
	    .first = page / pages * pages, .pages = pages, .step = 1, .reason = reason};
}

#endif
