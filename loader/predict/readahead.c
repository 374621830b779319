/*
 * `readahead`: modeled on the kernel's own readahead for files. A fault just after the last window
 * continues it: the next window is twice as long, and because the guess has been right once, its
 * pages are filled at once. Any other fault reveals the aligned block around it, unfilled, so that
 * scattered touches cost no memory, and starts again with a small window.
 */
#include "loader/predict/predict.h"

#define BLOCK_PAGES 16

struct readahead {
	uint64_t expected; /* the page after the last window; 0 before the first touch */
	uint64_t window;   /* in pages */
};

struct prediction predict_readahead(struct policy_state *state, const struct touch *touch)
{
	struct readahead *walk = POLICY_MEMORY(struct readahead, state);
	struct prediction prediction = {.step = 1};

	if (walk->expected != 0 && touch->page == walk->expected) {
		walk->window = lower(2 * walk->window, state->parameter);
		prediction.first = touch->page;
		prediction.pages = walk->window;
		prediction.bring = BRING_POPULATE;
		prediction.reason = REASON_WINDOW;
	} else {
		walk->window = BLOCK_PAGES / 2;
		prediction = predict_around(touch->page, BLOCK_PAGES, REASON_NO_WALK);
	}
	walk->expected = prediction.first + prediction.pages;
	return prediction;
}
