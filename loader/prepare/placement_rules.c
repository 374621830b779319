#include "loader/prepare/placement_rules.h"

#include "common/kernel_text.h"
#include "common/memory_map.h"
#include "common/page.h"
#include "common/placement/layout.h"

#include <stdio.h>
#include <string.h>

/* The most runs of pages that one rule has; a mapping may have several. */
#define RANGES_MAX 64

#define CACHE "/sys/devices/system/cpu/cpu0/cache/index2/"

/*
 * The number of colors of the L2 cache: the pages that one of its ways holds. 16 if it is not
 * known.
 */
static uint64_t machine_colors(void)
{
	uint64_t sets = kernel_number(CACHE "number_of_sets", 0);
	uint64_t colors = sets * kernel_number(CACHE "coherency_line_size", 0) / PAGE_BYTES;

	return colors >= 1 && colors <= STRATEGY_BASE_MAX ? colors : 16;
}

/* Reads START-END in hexadecimal. */
static bool read_range(const struct place_hint *hint, struct placement_rule *rule)
{
	uint64_t start, end;
	int used = 0;

	if (sscanf(hint->where, "%lx-%lx%n", &start, &end, &used) < 2 ||
	    (uint64_t)used != hint->length || start >= end || end > USER_ADDRESS_END)
		return false;
	rule->first = start / PAGE_BYTES;
	rule->end = page_ceil(end) / PAGE_BYTES;
	return true;
}

static bool read_symbol(const struct object *program, const struct place_hint *hint,
			struct placement_rule *rule)
{
	for (size_t i = 0; i < program->symbols.symbols.count; i++) {
		const struct elf_name *symbol = &program->symbols.symbols.names[i];

		if (strlen(symbol->name) != hint->length ||
		    memcmp(symbol->name, hint->where, hint->length) != 0)
			continue;
		rule->first = (symbol->start + program->plan.load_bias) / PAGE_BYTES;
		rule->end = page_ceil(symbol->end + program->plan.load_bias) / PAGE_BYTES;
		return true;
	}
	return false;
}

/*
 * Reads the frames of an earlier run. A position-independent program had other addresses then. So
 * pages are identified by their distance from the layout's first page; --layout ensures that this
 * is the program's first page.
 */
static bool read_frames(const struct load_plan *plan, struct frame_strategy *strategy,
			struct error *error)
{
	struct frame_record *records;
	uint64_t first, shift;

	if (!layout_text_read(strategy->file, &records, &strategy->frame_count, &first, error))
		return false;
	shift = plan->mappings[0].address / PAGE_BYTES - first / PAGE_BYTES;
	for (uint64_t i = 0; !plan->fixed_address && i < strategy->frame_count; i++)
		records[i].page += shift;
	strategy->frames = records;
	return true;
}

static bool make_rule(const struct guest *guest, const struct place_hint *hint,
		      struct placement_rule *rule, struct error *error)
{
	const struct object *program = &guest->objects[PROGRAM];

	rule->strategy = hint->strategy;
	if (hint->where == NULL)
		rule->end = UINT64_MAX;
	else if (!read_range(hint, rule) && !read_symbol(program, hint, rule))
		return error_set(error, EXIT_OURS,
				 "--place-hint: the program has no symbol '%.*s'; name one that nm "
				 "shows, or START-END in hexadecimal",
				 (int)(hint->length < 64 ? hint->length : 64), hint->where);
	if (rule->strategy.base == 0 && (rule->strategy.kind == STRATEGY_COLORING ||
					 rule->strategy.kind == STRATEGY_BIN_HOPPING))
		rule->strategy.base = machine_colors();
	return rule->strategy.kind != STRATEGY_EXACT ||
	       read_frames(&program->plan, &rule->strategy, error);
}

/* Finds the pages of a rule that will be placed, as runs. */
static unsigned find_ranges(const struct guest *guest, struct placement *placement,
			    const struct placement_rule *rule, struct pool_range *ranges)
{
	const struct load_plan *plan = &guest->objects[PROGRAM].plan;
	unsigned count = 0;

	for (unsigned i = 0; i < plan->count; i++) {
		uint64_t first = plan->mappings[i].address / PAGE_BYTES;
		uint64_t end = first + plan->mappings[i].length / PAGE_BYTES;

		if (!guest_places(guest, &plan->mappings[i]))
			continue;
		for (uint64_t page = first; page < end; page++) {
			struct pool_range *last = &ranges[count > 0 ? count - 1 : 0];

			if (rules_of(placement, page) != rule)
				continue;
			if (count > 0 && last->first + last->count == page)
				last->count++;
			else if (count < RANGES_MAX)
				ranges[count++] = (struct pool_range){page, 1};
		}
	}
	return count;
}

static void add_exact(struct exact_search *sum, const struct exact_search *search)
{
	sum->wanted += search->wanted;
	sum->met += search->met;
	sum->in_use += search->in_use;
	sum->not_met += search->not_met;
}

static bool fill_pools(const struct guest *guest, bool forks, struct placement *placement,
		       struct error *error)
{
	struct pool_range ranges[RANGES_MAX];

	for (unsigned i = 0; i < placement->count; i++) {
		struct placement_rule *rule = &placement->rules[i];
		unsigned count = find_ranges(guest, placement, rule, ranges);
		enum frames_found found = pool_fill(&rule->strategy, ranges, count,
						    pool_bytes_most(), forks, &rule->pool);

		if (found != FRAMES_FOUND)
			return pool_refuse(found, &rule->strategy, error);
		add_exact(&placement->exact, &rule->pool.exact);
	}
	return true;
}

bool placement_rules_make(const struct guest *guest, bool forks, struct placement **result,
			  struct error *error)
{
	const struct options *options = &guest->options;
	const struct place_hint rest = {.where = NULL, .strategy = options->placement};
	struct placement *placement = memory_map(sizeof(*placement), 0);

	if (placement == NULL)
		return error_no_memory(error, "to place pages");
	for (unsigned i = 0; i <= options->place_hint_count; i++)
		if (!make_rule(guest,
			       i < options->place_hint_count ? &options->place_hints[i] : &rest,
			       &placement->rules[placement->count++], error))
			return false;
	*result = placement;
	return fill_pools(guest, forks, placement, error);
}
