/*
 * Prediction: which pages to bring in together with the touched one.
 *
 * A policy is a pure function of the touches so far. It makes no system call, and keeps its state
 * in a struct policy_state. So it can be tested on written-out sequences, and run on recorded ones
 * (bench/replay). Page numbers are addresses divided by the page size.
 */
#pragma once

#include "common/huge_pages.h"
#include "common/page.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * How a page is brought in. Reveal: the kernel fills the page at the first touch; a wrong guess
 * costs nothing, a right one the kernel's fault. Populate: the page is filled now, which saves that
 * fault, and wastes a page if the guess was wrong. Huge: the page is revealed, and the kernel is
 * asked to fill 2 MiB at a touch. Block: whole aligned blocks of 2 MiB are revealed when the kernel
 * fills that much unasked; pages that are there become part of their block's huge page.
 */
enum bring { BRING_REVEAL, BRING_POPULATE, BRING_HUGE, BRING_BLOCK };

/* Why pages are brought in: reasons.def has the texts. */
enum reason {
#define REASON(name, text) REASON_##name,
#include "loader/predict/reasons.def"
#undef REASON
};

/* A touch of a hidden page, with its region and the system's settings. */
struct touch {
	uint64_t page;			   /* page number */
	uint64_t region_start, region_end; /* page numbers; end is exclusive */
	bool from_file;			   /* false: anonymous memory */
	bool write;			   /* false: the page was read or executed */
	bool copies;			   /* filling a page costs no more than revealing it */
	enum huge_pages huge_pages;	   /* setting for this region */
	uint64_t block_pages;		   /* number of revealed pages in the 2 MiB block around
					      the page */
};

/*
 * The answer of a policy: bring in `pages` pages from `first` on, at distances of `step` pages. If
 * the touched page is not among them, it is brought in, too. The pager omits pages outside the
 * region.
 */
struct prediction {
	uint64_t first; /* page number */
	uint64_t pages; /* at least 1 */
	uint64_t step;	/* at least 1 */
	enum bring bring;
	enum reason reason;
};

/*
 * The state of a policy. The policy's file has a struct for its own state, all zero before the
 * first touch, and accesses it with POLICY_MEMORY.
 */
#define POLICY_WORDS 52

struct policy_state {
	uint64_t parameter; /* number of pages: N of --policy=NAME,pages=N */
	uint64_t memory[POLICY_WORDS];
};

#define POLICY_MEMORY(type, state)                                                                 \
	({                                                                                         \
		_Static_assert(sizeof(type) <= sizeof((state)->memory), "POLICY_WORDS");           \
		(type *)(void *)(state)->memory;                                                   \
	})

typedef struct prediction policy_function(struct policy_state *state, const struct touch *touch);

/*
 * All policies: name, function, and for the parameter `pages` its default, minimum and maximum; 0:
 * the policy has no such parameter. docs/CONTRIBUTING.md describes how to add a policy.
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

/* A prediction of the touched page alone. */
static inline struct prediction predict_one(const struct touch *touch)
{
	return (struct prediction){.first = touch->page, .pages = 1, .step = 1};
}

/* A prediction that reveals the aligned block of this many pages around a page. */
static inline struct prediction predict_around(uint64_t page, uint64_t pages, enum reason reason)
{
	return (struct prediction){
	    .first = page / pages * pages, .pages = pages, .step = 1, .reason = reason};
}
