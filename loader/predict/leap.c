/*
 * `leap`: the majority of the last distances between touches (Maruf and Chowdhury, "Effectively
 * Prefetching Remote Memory with Leap", USENIX ATC 2020).
 *
 * The vote starts with the last few distances and includes more until one has more than half of
 * them. If there is a majority, pages at that distance are filled, twice as many as last time if
 * the last guess was right. Leap sees every access to a page; a pager does not see accesses to
 * pages that it has brought in. After a window, the distance it sees is the window's, and no
 * majority would last. Therefore a touch just after the window counts as one at the distance that
 * was voted for.
 */
#include "loader/predict/predict.h"

#define FIRST_VOTE 4
#define HISTORY	   16

struct leap {
	uint64_t touches;	 /* number of known distances */
	int64_t deltas[HISTORY]; /* in pages; the oldest is overwritten first */
	int64_t voted;		 /* the distance that the last prediction used */
	uint64_t last;		 /* the page touched before */
	uint64_t expected;	 /* the page that would continue the walk; 0: none */
	uint64_t window;	 /* in pages */
};

/*
 * Boyer and Moore's majority vote on the last `count` distances; 0 if no distance has more than
 * half.
 */
static int64_t vote(const struct leap *leap, uint64_t count)
{
	int64_t candidate = 0;
	uint64_t lead = 0, number = 0;

	for (uint64_t i = 1; i <= count; i++) {
		int64_t delta = leap->deltas[(leap->touches - i) % HISTORY];

		if (lead == 0)
			candidate = delta;
		lead += delta == candidate ? 1 : -UINT64_C(1);
	}
	for (uint64_t i = 1; i <= count; i++)
		number += leap->deltas[(leap->touches - i) % HISTORY] == candidate;
	return 2 * number > count ? candidate : 0;
}

static int64_t majority(const struct leap *leap)
{
	uint64_t known = lower(leap->touches, HISTORY);
	int64_t delta = 0;

	for (uint64_t count = FIRST_VOTE; count <= known && delta == 0; count *= 2)
		delta = vote(leap, count);
	return delta;
}

/* The pages from the touched one on, upward or downward, but not beyond page 0. */
static struct prediction walk(uint64_t page, int64_t delta, uint64_t pages)
{
	uint64_t step = delta < 0 ? -(uint64_t)delta : (uint64_t)delta;

	if (delta > 0)
		return (struct prediction){page, pages, step, BRING_POPULATE, REASON_DISTANCE};
	pages = lower(pages, page / step + 1);
	return (struct prediction){page - (pages - 1) * step, pages, step, BRING_POPULATE,
				   REASON_DISTANCE};
}

struct prediction predict_leap(struct policy_state *state, const struct touch *touch)
{
	struct leap *leap = POLICY_MEMORY(struct leap, state);
	bool right = leap->expected != 0 && touch->page == leap->expected;
	int64_t delta = (int64_t)(touch->page - leap->last);
	struct prediction prediction;

	if (right)
		delta = leap->voted;
	if (leap->last != 0)
		leap->deltas[leap->touches++ % HISTORY] = delta;
	leap->last = touch->page;
	delta = majority(leap);
	leap->expected = 0;
	if (delta == 0) {
		leap->window = 1;
		return predict_one(touch);
	}
	leap->voted = delta;
	leap->window = lower(right ? 2 * leap->window : 2, state->parameter);
	prediction = walk(touch->page, delta, leap->window);
	leap->expected = touch->page + (uint64_t)delta * prediction.pages;
	return prediction;
}
