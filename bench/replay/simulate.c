/*
 * A model of the pager (loader/resident/pager/pager.c) and of the kernel's paging below it.
 *
 * Anonymous memory is hidden as by the engine userfaultfd, which populates a single page at no
 * more than revealing it costs, and takes a long run in one call; pages of files as by the engine
 * guard. Page numbers are without the load bias, as if that was a multiple of 2 MiB.
 */
#include "bench/replay/simulate.h"

#include <stdlib.h>

/* From this length on, a run that is not populated goes to the engine in one piece. */
#define MANY_PAGES 64

/* Of 4 KiB, in a huge page. */

/* What is known of a page; 0 as long as it is hidden. */
enum {
	REVEALED = 1,
	AHEAD = 2,     /* without having been touched */
	ADVISED = 4,   /* the kernel may fill it as part of a huge page */
	POPULATED = 8, /* costs memory */
	TOUCHED = 16,
};

/* States is NULL where the kernel pages alone. */
struct lazy_region {
	uint64_t low, high; /* page numbers; high is exclusive */
	bool from_file;
	uint8_t *states;
};

struct model {
	const struct simulation *simulation;
	struct simulation_result *result;
	struct policy_state policy;
	struct lazy_region *regions; /* as many as the recording has */
	uint8_t *states;
	uint64_t used;	  /* pages populated and touched */
	bool huge_denied; /* a policy wanted huge pages, and there are none */
};

/* Page numbers from first on, below end, each `step` from the next. */
struct span {
	uint64_t first, end, step;
};

static bool lay_out(struct model *model, const struct recording *recording)
{
	const struct recording_ranges *ranges = &recording->regions;
	uint64_t pages = 0;

	model->regions = calloc(ranges->count + 1, sizeof(*model->regions));
	for (size_t i = 0; i < ranges->count; i++)
		if (ranges->list[i].kind == RANGE_BSS || model->simulation->files)
			model->result->pages += ranges->list[i].pages;
	model->states = calloc(model->result->pages + 1, 1);
	if (model->regions == NULL || model->states == NULL)
		return false;
	for (size_t i = 0; i < ranges->count; i++) {
		const struct recording_range *range = &ranges->list[i];
		struct lazy_region *region = &model->regions[i];

		region->low = range->first;
		region->high = range->first + range->pages;
		region->from_file = range->kind == RANGE_FILE;
		if (region->from_file && !model->simulation->files)
			continue;
		region->states = model->states + pages;
		pages += range->pages;
	}
	return true;
}

static uint8_t *state_of(const struct lazy_region *region, uint64_t page)
{
	return &region->states[page - region->low];
}

/* How many steps it takes over a distance, the last one perhaps beyond. */
static uint64_t steps_over(uint64_t distance, uint64_t step)
{
	return distance / step + (distance % step != 0);
}

/* Of a prediction, what is in the region. */
static struct span clip(const struct lazy_region *region, const struct prediction *wanted)
{
	uint64_t first = wanted->first, skipped = 0, room;

	if (first < region->low)
		skipped = steps_over(region->low - first, wanted->step);
	if (skipped >= wanted->pages)
		return (struct span){region->low, region->low, 1};
	first += skipped * wanted->step;
	if (first >= region->high)
		return (struct span){region->low, region->low, 1};
	room = steps_over(region->high - first, wanted->step);
	return (struct span){
	    .first = first,
	    .end = first + (predict_least(room, wanted->pages - skipped) - 1) * wanted->step + 1,
	    .step = wanted->step,
	};
}

/* A hidden page is revealed, other than by a call of the program. */
static void bring_in_page(struct model *model, uint8_t *state, bool ahead, enum bring bring)
{
	struct simulation_result *result = model->result;

	*state |= REVEALED;
	if (ahead) {
		*state |= AHEAD;
		result->ahead++;
	}
	if (bring == BRING_POPULATE) {
		*state |= POPULATED;
		result->peak++;
		result->time += model->simulation->costs.populate;
	}
}

/* Neighbouring pages. Those that are there already stay as they are. */
static void bring_run(struct model *model, const struct lazy_region *region, struct span run,
		      uint64_t touched, enum bring bring)
{
	bool in_one =
	    !region->from_file && bring != BRING_POPULATE && run.end - run.first >= MANY_PAGES;
	bool was_hidden = false;
	uint64_t reveals = 0;

	for (uint64_t page = run.first; page < run.end; page++) {
		uint8_t *state = state_of(region, page);
		bool hidden = !(*state & REVEALED);

		reveals += hidden && !was_hidden;
		was_hidden = hidden;
		if (bring == BRING_HUGE && (hidden || in_one))
			*state |= ADVISED;
		if (hidden)
			bring_in_page(model, state, page != touched, bring);
	}
	reveals = in_one ? 1 : reveals;
	model->result->reveals += reveals;
	model->result->time += (double)reveals * model->simulation->costs.reveal;
}

static void bring_span(struct model *model, const struct lazy_region *region, struct span span,
		       uint64_t touched, enum bring bring)
{
	if (span.step == 1) {
		bring_run(model, region, span, touched, bring);
		return;
	}
	for (uint64_t page = span.first; page < span.end; page += span.step)
		bring_run(model, region, (struct span){page, page + 1, 1}, touched, bring);
}

/* A signal: bring_in_locked of the pager. */
static void serve(struct model *model, const struct lazy_region *region,
		  const struct recorded_touch *touched)
{
	struct touch touch = {
	    .page = touched->page,
	    .region_start = region->low,
	    .region_end = region->high,
	    .from_file = region->from_file,
	    .write = touched->how == TOUCH_WRITE,
	    .huge_pages = !model->huge_denied && !region->from_file ? HUGE_ON_ADVICE : HUGE_NEVER,
	};
	struct prediction wanted = model->simulation->predict(&model->policy, &touch);

	model->result->faults++;
	model->result->time += model->simulation->costs.signal;
	if (wanted.bring == BRING_HUGE && model->simulation->no_huge_pages) {
		model->huge_denied = true;
		wanted.bring = BRING_POPULATE;
		wanted.pages = 1;
	}
	if (wanted.pages == 1 && touch.write)
		wanted.bring = BRING_POPULATE;
	if (region->from_file)
		wanted.bring = BRING_REVEAL;
	bring_span(model, region, clip(region, &wanted), touch.page, wanted.bring);
	if (!(*state_of(region, touch.page) & REVEALED))
		bring_run(model, region, (struct span){touch.page, touch.page + 1, 1}, touch.page,
			  BRING_REVEAL);
}

/* A huge page is for 2 MiB of which nothing is there yet, all of it in what was advised. */
static bool may_be_huge(const struct lazy_region *region, uint64_t page)
{
	uint64_t first = page / HUGE_PAGES * HUGE_PAGES;

	if (first < region->low || region->high - first < HUGE_PAGES)
		return false;
	for (uint64_t i = first; i < first + HUGE_PAGES; i++) {
		uint8_t state = *state_of(region, i);

		if (!(state & ADVISED) || (state & POPULATED) || (i != page && (state & TOUCHED)))
			return false;
	}
	return true;
}

/* The kernel's part: a page that was touched, and is revealed by now, is filled. */
static void fill(struct model *model, const struct lazy_region *region,
		 const struct recorded_touch *touch, double cost)
{
	uint64_t first = touch->page, count = 1;

	if (*state_of(region, touch->page) & POPULATED)
		return;
	if (!region->from_file && !touch->written) {
		model->result->time += cost; /* the shared page of zeros */
		return;
	}
	if (may_be_huge(region, touch->page)) {
		first = touch->page / HUGE_PAGES * HUGE_PAGES;
		count = HUGE_PAGES;
		cost = model->simulation->costs.huge * HUGE_PAGES;
	}
	for (uint64_t i = first; i < first + count; i++)
		*state_of(region, i) |= POPULATED;
	model->result->time += cost;
	model->result->peak += count;
}

static void do_touch(struct model *model, const struct lazy_region *region,
		     const struct recorded_touch *touch)
{
	const struct costs *costs = &model->simulation->costs;
	uint8_t *state = state_of(region, touch->page);
	double cost = region->from_file || touch->written ? costs->kernel_fault : costs->zero_fault;

	if (*state & TOUCHED)
		return;
	if (*state & REVEALED) {
		model->result->ahead_used += (*state & AHEAD) != 0;
	} else if (touch->how == TOUCH_CALL) {
		*state |= REVEALED;
		model->result->reveals++;
		model->result->time += costs->reveal;
	} else {
		serve(model, region, touch);
	}
	*state |= TOUCHED;
	model->result->touched++;
	model->result->native += cost;
	fill(model, region, touch, cost);
	model->used += (*state & POPULATED) != 0;
}

bool simulate(const struct recording *recording, const struct simulation *simulation,
	      struct simulation_result *result)
{
	struct model model = {
	    .simulation = simulation,
	    .result = result,
	    .policy.parameter = simulation->parameter,
	};
	bool done;

	*result = (struct simulation_result){0};
	done = lay_out(&model, recording);
	for (size_t i = 0; done && i < recording->touch_count; i++) {
		const struct recording_range *range =
		    recording_find(&recording->regions, recording->touches[i].page);
		const struct lazy_region *region;

		if (range == NULL)
			continue; /* never hidden */
		region = &model.regions[range - recording->regions.list];
		if (region->states != NULL)
			do_touch(&model, region, &recording->touches[i]);
	}
	result->wasted = result->peak - model.used;
	free(model.regions);
	free(model.states);
	return done;
}
