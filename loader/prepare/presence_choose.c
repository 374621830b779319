/* Which mappings come into memory when. */
#include "loader/prepare/presence_choose.h"

#include "common/page.h"
#include "common/report.h"
#include "loader/prepare/guard_prepare.h"
#include "loader/prepare/placement_prepare.h"
#include "loader/resident/pager/regions.h"
#include "loader/cli/strategy.h"

#include <sys/mman.h>

static bool has_room_for_huge_page(const struct load_plan *plan)
{
	for (unsigned i = 0; i < plan->count; i++)
		if (!plan->mappings[i].from_file && plan->mappings[i].length >= HUGE_BYTES)
			return true;
	return false;
}

/* The kernel is asked only where the answer matters: that takes 10 us. */
static enum huge_pages choose_huge_pages(const struct guest *guest)
{
	const struct policy *policy = guest->options.policy;
	bool any = false;

	if (guest->options.huge != HUGE_AS_SET)
		return guest->options.huge == HUGE_IN_ANY_CASE ? HUGE_ALWAYS : HUGE_NEVER;
	if (guest->strategy->least_huge_bss_bytes == 0 && !guest->options.statistics &&
	    guest->options.explain == EXPLAIN_NOTHING &&
	    (policy == NULL || policy->predict != predict_adaptive))
		return HUGE_NEVER;
	for (unsigned i = 0; i < guest->object_count; i++)
		any |= has_room_for_huge_page(&guest->objects[i].plan);
	return any ? huge_pages_setting() : HUGE_NEVER;
}

/* What the kernel is advised to do about a mapping, once it is there. */
static int choose_advice(const struct guest *guest, const struct plan_mapping *mapping)
{
	if (guest->options.huge == HUGE_AS_SET || mapping->from_file ||
	    mapping->length < HUGE_BYTES)
		return MADV_NORMAL;
	return guest->options.huge == HUGE_IN_ANY_CASE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
}

/* Hiding a short mapping costs more than it can gain. With --engine it is hidden all the same. */
static bool is_too_small(const struct guest *guest, const struct plan_mapping *mapping)
{
	return !mapping->from_file && guest->options.engine == NULL &&
	       mapping->length < guest_least_bss(guest, mapping);
}

/*
 * --record hides every page, to see each first touch. --profile hides none: it brings in the pages
 * that the profile names before entry, and leaves the others to the kernel's paging.
 */
static enum presence wanted_presence(const struct guest *guest, const struct plan_mapping *mapping)
{
	if (guest->options.record != NULL)
		return PRESENCE_HIDDEN;
	if (guest->has_profile || is_too_small(guest, mapping))
		return PRESENCE_NATIVE;
	return guest->strategy->presence(mapping);
}

/*
 * Chooses what is placed before entry: each wanted mapping that is not hidden, and each that comes
 * from a file. Pages that are placed are anonymous, and a forked child would find zeros in those
 * that were hidden.
 */
static void choose_placed(struct guest *guest)
{
	struct load_plan *plan = &guest->objects[PROGRAM].plan;
	bool wait = guest->strategy->default_policy != NULL &&
		    guest->options.guard != CHOOSE_NONE && placement_can_wait();

	for (unsigned i = 0; i < plan->count; i++) {
		struct plan_mapping *mapping = &plan->mappings[i];

		if (guest_places(guest, mapping) &&
		    (mapping->presence != PRESENCE_HIDDEN || mapping->from_file || !wait))
			mapping->presence = PRESENCE_PLACED;
	}
}

/* With --guard=none pages are hidden whatever becomes of calls that are given one. */
static bool may_hide(const struct guest *guest, struct error *obstacle)
{
	return (guest->options.guard == CHOOSE_NONE && !guest->start.under_valgrind) ||
	       guard_can_intercept(guest, obstacle);
}

static unsigned count_hidden(const struct guest *guest)
{
	unsigned hidden = 0;

	for (unsigned i = 0; i < guest->object_count; i++)
		for (unsigned j = 0; j < guest->objects[i].plan.count; j++)
			hidden += guest->objects[i].plan.mappings[j].presence == PRESENCE_HIDDEN;
	return hidden;
}

static void choose_wanted(const struct guest *guest, struct load_plan *plan)
{
	for (unsigned i = 0; i < plan->count; i++) {
		plan->mappings[i].presence = wanted_presence(guest, &plan->mappings[i]);
		plan->mappings[i].advice = choose_advice(guest, &plan->mappings[i]);
	}
}

/* Leaves no more than `most` mappings hidden. Returns how many more another plan may have. */
static unsigned hide_at_most(struct load_plan *plan, unsigned most)
{
	for (unsigned i = 0; i < plan->count; i++) {
		if (plan->mappings[i].presence != PRESENCE_HIDDEN)
			continue;
		if (most > 0)
			most--;
		else
			plan->mappings[i].presence = PRESENCE_NATIVE;
	}
	return most;
}

bool presence_choose(struct guest *guest, struct error *error)
{
	unsigned wanted, mappings = 0, most = PAGER_REGIONS_MAX;

	guest->huge_pages = choose_huge_pages(guest);
	for (unsigned i = 0; i < guest->object_count; i++) {
		choose_wanted(guest, &guest->objects[i].plan);
		mappings += guest->objects[i].plan.count;
	}
	wanted = count_hidden(guest);
	if (wanted > 0 && !may_hide(guest, error)) {
		if (guest->options.guard == CHOOSE_REQUIRE || guest->options.record != NULL)
			return false;
		report_warning("everything is left to the kernel's paging: %s", error->text);
		most = 0;
	}
	if (wanted > most && most > 0)
		report_detail("%u of %u mappings are left to the kernel's paging: at most %u can "
			      "be hidden",
			      wanted - most, mappings, most);
	for (unsigned i = 0; i < guest->object_count; i++)
		most = hide_at_most(&guest->objects[i].plan, most);
	if (options_place(&guest->options))
		choose_placed(guest);
	guest->hides_pages = count_hidden(guest) > 0;
	return true;
}
