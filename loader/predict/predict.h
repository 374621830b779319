/*
 * Prediction: which pages to bring in beside the one that was touched.
 *
 * A policy is a pure function of the faults so far. It makes no system call and keeps what it
 * remembers in a struct policy_state, so that it can be tested on written-out fault sequences.
 * Page numbers are addresses divided by the page size.
 *
 * Two actions are different things: to reveal a page lets the kernel fill it at the first touch
 * and costs no memory if that never comes; to populate it fills it now, which saves that second
 * fault and wastes a page when the guess was wrong.
 */
#ifndef LOADER_PREDICT_H
#define LOADER_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

/* What to do about one fault: `pages` pages from `first` on, the touched one among them. */
struct prediction {
	uint64_t first; /* page number */
	uint64_t pages; /* at least 1; the pager cuts it at the bounds of the mapping */
	bool populate;
};

/* All zero before the first fault. */
struct policy_state {
	uint64_t expected; /* the page after the last one brought in; 0 before the first fault */
	int64_t counter;   /* of right predictions, for `counter` */
	uint64_t window;   /* pages, for `readahead` */
};

typedef struct prediction policy_function(struct policy_state *state, uint64_t page);

policy_function resident_predict_none, resident_predict_counter, resident_predict_readahead;

#endif
