/*
 * A model of the pager (loader/resident/pager/pager.c) and of the kernel's paging below it.
 *
 * Anonymous memory is hidden as by the engine userfaultfd, which populates a single page at no
 * more than revealing it costs, and takes a long run in one call; pages of files as by the engine
 * guard. Page numbers are without the load bias, as if that was a multiple of 2 MiB.
 */
#include "bench/replay/simulate.h"

#include "bench/replay/lazy_region.h"

#include <stdlib.h>

/* From this length on, a run that is not populated goes to the engine in one piece. */
#define MANY_PAGES 64

struct model {
	const struct simulation *simulation;
	struct simulation_result *result;
	struct policy_state policy;
	struct lazy_region *regions; /* as many as the recording has */
	uint8_t *states;
	uint64_t used;	  /* pages populated and touched */
	bool huge_denied; /* a policy wanted huge pages, and there are none */
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

/* Reveals a hidden page, for a touch or ahead of one. */
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

/* Brings in neighboring pages; those that are there already stay as they are. */
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

static void populate_block(struct model *model, const struct lazy_region *region, struct span block)
{
	model->result->peak += HUGE_PAGES - region_count(region, block, POPULATED);
	model->result->time += model->simulation->costs.huge * HUGE_PAGES;
	for (uint64_t page = block.first; page < block.end; page++) {
		uint8_t *state = state_of(region, page);

		model->used += !(*state & POPULATED) && (*state & TOUCHED);
		*state |= POPULATED;
	}
}

/* Those blocks of a span that have a page. */
static void collapse_blocks(struct model *model, const struct lazy_region *region, struct span span)
{
	for (uint64_t page = span.first; page < span.end; page += HUGE_PAGES) {
		struct span block = region_block(region, page);

		if (region_count(region, block, REVEALED) == 0)
			continue;
		populate_block(model, region, block);
		model->result->time += model->simulation->costs.collapse;
	}
}

static enum huge_pages huge_pages_of(const struct model *model, const struct lazy_region *region)
{
	if (region->from_file || model->huge_denied)
		return HUGE_NEVER;
	/* A policy learns that there are no huge pages when one is refused. */
	return model->simulation->huge_pages == HUGE_ALWAYS ? HUGE_ALWAYS : HUGE_ON_ADVICE;
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
	    .copies = true,
	    .huge_pages = huge_pages_of(model, region),
	    .block_pages = region_count(region, region_block(region, touched->page), REVEALED),
	};
	struct prediction wanted = model->simulation->predict(&model->policy, &touch);
	struct span span;

	model->result->faults++;
	model->result->time += model->simulation->costs.signal;
	if (wanted.bring == BRING_HUGE && model->simulation->huge_pages == HUGE_NEVER) {
		model->huge_denied = true;
		wanted.bring = BRING_POPULATE;
		wanted.pages = 1;
	}
	if (wanted.pages == 1 && touch.write)
		wanted.bring = BRING_POPULATE;
	if (region->from_file)
		wanted.bring = BRING_REVEAL;
	span = region_clip(region, &wanted);
	if (wanted.bring == BRING_BLOCK)
		collapse_blocks(model, region, span);
	bring_span(model, region, span, touch.page, wanted.bring);
	if (!(*state_of(region, touch.page) & REVEALED))
		bring_run(model, region, (struct span){touch.page, touch.page + 1, 1}, touch.page,
			  BRING_REVEAL);
}

/* A huge page is for 2 MiB of which nothing is there yet, all of it advised, or revealed at least.
 */
static bool may_be_huge(const struct model *model, const struct lazy_region *region,
			struct span block)
{
	bool always = model->simulation->huge_pages == HUGE_ALWAYS;

	return block.first < block.end &&
	       region_count(region, block, always ? REVEALED : ADVISED) == HUGE_PAGES &&
	       region_count(region, block, POPULATED) == 0 &&
	       region_count(region, block, TOUCHED) == 1;
}

/* The kernel's part: a page that was touched, and is revealed by now, is filled. */
static void fill(struct model *model, const struct lazy_region *region,
		 const struct recorded_touch *touch, double cost)
{
	struct span block = region_block(region, touch->page);

	if (*state_of(region, touch->page) & POPULATED)
		return;
	if (!region->from_file && !touch->written) {
		model->result->time += cost; /* the shared page of zeros */
		return;
	}
	if (may_be_huge(model, region, block)) {
		populate_block(model, region, block);
		return;
	}
	*state_of(region, touch->page) |= POPULATED;
	model->result->time += cost;
	model->result->peak++;
	model->used++;
}

/*
 * The cost of the first touch of a page if the kernel pages alone. `cost` is the cost of filling
 * that page.
 */
static double native_cost(const struct model *model, const struct lazy_region *region,
			  uint64_t page, double cost)
{
	struct span block = region_block(region, page);

	if (model->simulation->huge_pages != HUGE_ALWAYS || block.first == block.end)
		return cost;
	return region_count(region, block, TOUCHED) != 0
		   ? 0
		   : model->simulation->costs.huge * HUGE_PAGES;
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
	model->result->native += native_cost(model, region, touch->page, cost);
	model->used += (*state & POPULATED) != 0;
	*state |= TOUCHED;
	model->result->touched++;
	fill(model, region, touch, cost);
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
