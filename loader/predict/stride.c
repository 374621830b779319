/*
 * `stride`: several walks, each with a distance of its own. A touch that no walk expects is
 * assigned to the walk whose last touch is nearest. The distance to it becomes that walk's when it
 * has occurred twice. From then on pages at that distance are filled, twice as many each time.
 */
#include "loader/predict/predict.h"

#include <stddef.h>

#define WALKS 8

/* Touches farther apart than this are not related. */
#define NEAR_PAGES 64

struct walk {
	uint64_t
	    last; /* the last page touched or brought in: touches of present pages are not seen */
	uint64_t expected; /* a page number */
	uint64_t distance; /* in pages; 0: not known yet */
	uint64_t window;   /* number of pages it brings in; 1 as long as the distance has
			      occurred only once */
	uint64_t used;	   /* its last hit, as a count of touches; 0: an empty entry */
};

struct stride {
	uint64_t touches;
	struct walk walks[WALKS];
};

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* The walk that expected this page, or NULL. */
static struct walk *find(struct stride *stride, uint64_t page)
{
	for (unsigned i = 0; i < WALKS; i++)
		if (stride->walks[i].distance != 0 && stride->walks[i].expected == page)
			return &stride->walks[i];
	return NULL;
}

/* The walk whose last touch is nearest; NULL if none is near. */
static struct walk *nearest(struct stride *stride, uint64_t page)
{
	struct walk *best = NULL;

	for (unsigned i = 0; i < WALKS; i++) {
		struct walk *walk = &stride->walks[i];

		if (walk->used == 0 || distance(page, walk->last) > NEAR_PAGES)
			continue;
		if (best == NULL || distance(page, walk->last) < distance(page, best->last))
			best = walk;
	}
	return best;
}

/* An empty entry, or the walk whose last hit is the oldest. */
static struct walk *oldest(struct stride *stride)
{
	struct walk *found = &stride->walks[0];

	for (unsigned i = 1; i < WALKS; i++)
		if (stride->walks[i].used < found->used)
			found = &stride->walks[i];
	return found;
}

static struct prediction go_on(struct walk *walk, uint64_t page, uint64_t most_pages)
{
	bool upwards = page > walk->last;
	uint64_t step = walk->distance, pages;
	struct prediction prediction = {
	    .first = page, .step = step, .bring = BRING_POPULATE, .reason = REASON_STRIDE};

	walk->window = lower(2 * walk->window, most_pages);
	pages = upwards ? walk->window : lower(walk->window, page / step + 1);
	prediction.pages = pages;
	if (!upwards)
		prediction.first = page - (pages - 1) * step;
	walk->last = upwards ? page + (pages - 1) * step : prediction.first;
	walk->expected = upwards ? walk->last + step : walk->last - step;
	return prediction;
}

struct prediction predict_stride(struct policy_state *state, const struct touch *touch)
{
	struct stride *stride = POLICY_MEMORY(struct stride, state);
	uint64_t page = touch->page;
	struct walk *walk = find(stride, page);

	stride->touches++;
	if (walk != NULL) {
		walk->used = stride->touches;
		return go_on(walk, page, state->parameter);
	}
	walk = nearest(stride, page);
	if (walk == NULL) {
		*oldest(stride) = (struct walk){.last = page, .used = stride->touches, .window = 1};
		return predict_one(touch);
	}
	walk->distance = distance(page, walk->last);
	walk->expected = page > walk->last ? page + walk->distance : page - walk->distance;
	walk->last = page;
	walk->window = 1;
	walk->used = stride->touches;
	return predict_one(touch);
}
