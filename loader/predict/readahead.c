/*
 * `readahead`: after the kernel's own readahead for files. A fault right behind the last window
 * goes on with it: the next window is twice as long, and because the guess has been right once,
 * its pages are filled at once. Any other fault reveals the aligned block around it, unfilled, so
 * that scattered touches cost no memory, and starts again with a small window.
 */
#include "loader/predict/predict.h"

#define BLOCK_PAGES  16
#define WINDOW_PAGES 64 /* the longest: bounds what a stream that ends has wasted to 256 KiB */

struct prediction resident_predict_readahead(struct policy_state *state, uint64_t page)
{
	struct prediction prediction;

	if (state->expected != 0 && page == state->expected) {
		state->window = state->window < WINDOW_PAGES ? 2 * state->window : WINDOW_PAGES;
		prediction =
		    (struct prediction){.first = page, .pages = state->window, .populate = true};
	} else {
		state->window = BLOCK_PAGES / 2;
		prediction = (struct prediction){.first = page / BLOCK_PAGES * BLOCK_PAGES,
						 .pages = BLOCK_PAGES};
	}
	state->expected = prediction.first + prediction.pages;
	return prediction;
}
