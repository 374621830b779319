#include "common/memory_map.h"
#include "share/order/order.h"

#include <stdlib.h>
#include <string.h>

/* The lines of all lists for one function. */
struct group {
	struct order_line line; /* of the first list that has it */
	uint64_t places;	/* their sum */
	uint64_t which;		/* a bit for each run, the highest one for the first */
	unsigned runs;
};

static int by_address(const void *left, const void *right)
{
	const struct order_line *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->run < b->run ? -1 : a->run > b->run;
}

static int compare_names(const struct order_line *a, const struct order_line *b)
{
	int order = strcmp(a->names, b->names);

	return order != 0 ? order : strcmp(a->apart, b->apart);
}

static int by_name(const void *left, const void *right)
{
	const struct order_line *a = left, *b = right;
	int order = compare_names(a, b);

	return order != 0 ? order : (a->run > b->run) - (a->run < b->run);
}

/*
 * Those that are in most lists first; of these, those of the same lists side by side, because
 * another run is like one of the lists; of these, by the mean of their places.
 */
static int by_mean(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (a->runs != b->runs)
		return a->runs > b->runs ? -1 : 1;
	if (a->which != b->which)
		return a->which > b->which ? -1 : 1;
	if (a->places != b->places)
		return a->places < b->places ? -1 : 1;
	if (a->line.run != b->line.run)
		return a->line.run < b->line.run ? -1 : 1;
	return a->line.place < b->line.place ? -1 : 1;
}

static bool is_one_build(const struct order_list *lists, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (strcmp(lists[i].build_id, lists[0].build_id) != 0)
			return false;
	return strcmp(lists[0].build_id, "-") != 0;
}

/* Makes groups of lines that are sorted. A list counts once in a group. Returns how many there are.
 */
static size_t group_lines(const struct order_line *lines, size_t count, bool one_build,
			  struct group *groups)
{
	size_t made = 0;

	for (size_t i = 0; i < count; i++) {
		const struct order_line *line = &lines[i];
		bool same = i > 0 && (one_build ? line->start == line[-1].start
						: compare_names(line, line - 1) == 0);

		if (!same)
			groups[made++] = (struct group){.line = *line};
		if (same && line->run == line[-1].run)
			continue;
		groups[made - 1].runs++;
		groups[made - 1].which |= UINT64_C(1) << 63 >> line->run % 64;
		groups[made - 1].places += line->place;
	}
	return made;
}

bool order_merge(struct order_list *lists, size_t count, struct order_list *merged,
		 struct error *error)
{
	bool one_build = is_one_build(lists, count);
	struct order_line *lines;
	struct group *groups;
	size_t all = 0;

	if (!order_tell_apart(lists, count, error))
		return false;
	for (size_t i = 0; i < count; i++)
		all += lists[i].count;
	lines = memory_map(all * sizeof(*lines) + 1, MAP_NORESERVE);
	groups = memory_map(all * sizeof(*groups) + 1, MAP_NORESERVE);
	if (lines == NULL || groups == NULL)
		return error_no_memory(error, "for %zu functions", all);
	*merged = lists[0];
	merged->lines = lines;
	for (unsigned i = 0; i < count; i++) {
		for (size_t j = 0; j < lists[i].count; j++)
			*lines++ = lists[i].lines[j];
		if (strcmp(lists[i].end, "exit") != 0)
			merged->end = lists[i].end;
		if (lists[i].functions > merged->functions)
			merged->functions = lists[i].functions;
	}
	if (!one_build)
		merged->build_id = "-";
	lines = merged->lines;
	qsort(lines, all, sizeof(*lines), one_build ? by_address : by_name);
	merged->count = group_lines(lines, all, one_build, groups);
	qsort(groups, merged->count, sizeof(*groups), by_mean);
	for (size_t i = 0; i < merged->count; i++)
		lines[i] = groups[i].line;
	return true;
}
