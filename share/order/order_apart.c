#include "common/memory_map.h"
#include "share/order/order.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *left, const void *right)
{
	const struct order_line *a = *(struct order_line *const *)left,
				*b = *(struct order_line *const *)right;
	int order = strcmp(a->names, b->names);

	return order != 0 ? order : (a->run > b->run) - (a->run < b->run);
}

/* The end of the lines with the name of the first one. *several: one list has two of them. */
static size_t same_name(struct order_line *const *lines, size_t count, bool *several)
{
	size_t end = 1;

	for (*several = false; end < count && strcmp(lines[end]->names, lines[0]->names) == 0;
	     end++)
		*several |= lines[end]->run == lines[end - 1]->run;
	return end;
}

bool order_tell_apart(struct order_list *lists, size_t count, struct error *error)
{
	struct order_line **lines;
	size_t all = 0, end;
	bool several;

	for (size_t i = 0; i < count; i++)
		all += lists[i].count;
	lines = memory_map(all * sizeof(struct order_line *) + 1, MAP_NORESERVE);
	if (lines == NULL)
		return error_no_memory(error, "for %zu functions", all);
	all = 0;
	for (unsigned i = 0; i < count; i++)
		for (size_t j = 0; j < lists[i].count; j++) {
			lines[all++] = &lists[i].lines[j];
			lists[i].lines[j].run = i;
		}
	qsort(lines, all, sizeof(struct order_line *), by_name);
	for (size_t i = 0; i < all;)
		for (end = i + same_name(&lines[i], all - i, &several); i < end; i++)
			lines[i]->apart = several ? lines[i]->file : "";
	return true;
}
