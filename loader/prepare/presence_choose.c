/* Chooses when each mapping comes into memory. */
#include "loader/prepare/prepare.h"

#include "common/arch/machine.h"
#include "common/page.h"
#include "common/report.h"
#include "loader/prepare/guard_prepare.h"
#include "loader/prepare/placement_prepare.h"
#include "loader/cli/strategy.h"

#include <sys/mman.h>

static bool has_room_for_huge_page(const struct guest *guest)
{
	struct mapped at = {.object = NULL};

	while (guest_next_mapping(guest, &at))
		if (!at.mapping->from_file && at.mapping->length >= HUGE_BYTES)
			return true;
	return false;
}

/* The kernel is asked only if the answer matters: asking takes 10 us. */
static enum huge_pages choose_huge_pages(const struct guest *guest)
{
	const struct policy *policy = guest->options.policy;

	if (guest->options.huge != HUGE_AS_SET)
		return guest->options.huge == HUGE_IN_ANY_CASE ? HUGE_ALWAYS : HUGE_NEVER;
	if (guest->strategy->least_huge_bss_bytes == 0 && !guest->options.statistics &&
	    guest->options.explain == EXPLAIN_NOTHING &&
	    (policy == NULL || policy->predict != predict_adaptive))
		return HUGE_NEVER;
	return has_room_for_huge_page(guest) ? huge_pages_setting() : HUGE_NEVER;
}

/* The advice to the kernel for a mapping, once it is mapped. */
static int choose_advice(const struct guest *guest, const struct plan_mapping *mapping)
{
	if (guest->options.huge == HUGE_AS_SET || mapping->from_file ||
	    mapping->length < HUGE_BYTES)
		return MADV_NORMAL;
	return guest->options.huge == HUGE_IN_ANY_CASE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
}

/* Hiding a short mapping costs more than it can gain. --engine hides it anyway. */
static bool is_too_small(const struct guest *guest, const struct plan_mapping *mapping)
{
	return !mapping->from_file && guest->options.engine == NULL &&
	       mapping->length < guest_least_bss(guest, mapping);
}

/*
 * --record hides every page, to see each first touch. --profile hides none: it brings in the pages
 * that the profile names before entry, and leaves the others to the kernel's paging. --order needs
 * only functions, and hides none.
 */
static enum presence wanted_presence(const struct guest *guest, const struct plan_mapping *mapping)
{
	if (guest->start.denies_gain && (mapping->protection & PROT_EXEC) != 0)
		return PRESENCE_NATIVE; /* mprotect could not reveal it */
	if (guest->options.record != NULL)
		return PRESENCE_HIDDEN;
	if (guest->has_profile || guest->options.order != NULL || is_too_small(guest, mapping))
		return PRESENCE_NATIVE;
	return mapping->from_file ? guest->strategy->file_pages : guest->strategy->bss_pages;
}

/*
 * Chooses which pages are placed before entry: those of each wanted mapping that is not hidden or
 * comes from a file. Placed pages are anonymous, and a forked child would find zeros in pages that
 * were hidden.
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

/*
 * With --guard=none pages are hidden although system calls with addresses of hidden pages will
 * fail.
 */
static bool may_hide(const struct guest *guest, struct error *obstacle)
{
	return (ARCH_INTERCEPTS && guest->options.guard == CHOOSE_NONE &&
		!guest->start.under_valgrind) ||
	       guard_can_intercept(guest, obstacle);
}

/*
 * Where no released kernel could do it, only a user whose options ask for lazy paging gets the
 * warning.
 */
static void report_obstacle(const struct guest *guest, const char *obstacle)
{
	static const char format[] = "everything is left to the kernel's paging: %s";
	const struct options *options = &guest->options;

	if ((ARCH_INTERCEPTS && !guest->rewrites) || options->engine != NULL ||
	    options->policy->predict != guest->strategy->default_policy)
		report_warning(format, obstacle);
	else
		report_detail(format, obstacle);
}

/*
 * Chooses for every mapping. Returns the number of mappings to hide, and counts all of them in
 * *mappings.
 */
static unsigned choose_wanted(const struct guest *guest, unsigned *mappings)
{
	struct mapped at = {.object = NULL};
	unsigned hidden = 0;

	for (*mappings = 0; guest_next_mapping(guest, &at); ++*mappings) {
		at.mapping->presence = wanted_presence(guest, at.mapping);
		at.mapping->advice = choose_advice(guest, at.mapping);
		hidden += at.mapping->presence == PRESENCE_HIDDEN;
	}
	return hidden;
}

/* Hides text whose calls are to be intercepted, and returns how many more mappings that are. */
static unsigned hide_text(const struct guest *guest)
{
	struct mapped at = {.object = NULL};
	unsigned more = 0;

	if (!guest->rewrites || guest->options.guard == CHOOSE_NONE)
		return 0;
	while (guest_next_mapping(guest, &at))
		if ((at.mapping->protection & PROT_EXEC) != 0) {
			more += at.mapping->presence != PRESENCE_HIDDEN;
			at.mapping->presence = PRESENCE_HIDDEN;
		}
	return more;
}

/* Leaves at most `most` mappings hidden. */
static void hide_at_most(const struct guest *guest, unsigned most)
{
	struct mapped at = {.object = NULL};

	while (guest_next_mapping(guest, &at)) {
		if (at.mapping->presence != PRESENCE_HIDDEN)
			continue;
		if (most > 0)
			most--;
		else
			at.mapping->presence = PRESENCE_NATIVE;
	}
}

static bool hides_any(const struct guest *guest)
{
	struct mapped at = {.object = NULL};

	while (guest_next_mapping(guest, &at))
		if (at.mapping->presence == PRESENCE_HIDDEN)
			return true;
	return false;
}

bool presence_choose(struct guest *guest, struct error *error)
{
	unsigned wanted, mappings, most = PAGER_REGIONS_MAX;

	guest->huge_pages = choose_huge_pages(guest);
	guest->rewrites = guard_has_to_rewrite();
	wanted = choose_wanted(guest, &mappings);
	if (wanted > 0 && !may_hide(guest, error)) {
		if (guest->options.guard == CHOOSE_REQUIRE || guest->options.record != NULL)
			return false;
		report_obstacle(guest, error->text);
		most = 0;
	}
	if (wanted > 0 && most > 0)
		wanted += hide_text(guest);
	if (wanted > most && most > 0)
		report_detail("%u of %u mappings are left to the kernel's paging: at most %u can "
			      "be hidden",
			      wanted - most, mappings, most);
	hide_at_most(guest, most);
	if (options_place(&guest->options))
		choose_placed(guest);
	guest->hides_pages = hides_any(guest);
	return true;
}
