#include "common/memory_map.h"
#include "share/order/order.h"

#include <stdlib.h>
#include <string.h>

/* A function of the second list, sorted by its name, and where the first one has it. */
static int by_name(const void *left, const void *right)
{
	const struct order_line *a = *(const struct order_line *const *)left,
				*b = *(const struct order_line *const *)right;
	int order = strcmp(a->names, b->names);

	if (order == 0)
		order = strcmp(a->apart, b->apart);
	return order != 0 ? order : (a->place > b->place) - (a->place < b->place);
}

static const struct order_line *find(const struct order_line **sorted, size_t count,
				     const struct order_line *wanted)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(sorted[middle]->names, wanted->names);

		if (order == 0)
			order = strcmp(sorted[middle]->apart, wanted->apart);
		if (order == 0)
			return sorted[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* How many of the numbers, at most, are in rising order when the others are left out. `ends` has
 * room for all. */
static size_t longest_rising(const uint64_t *numbers, size_t count, uint64_t *ends)
{
	size_t length = 0;

	for (size_t i = 0; i < count; i++) {
		size_t low = 0, high = length;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (ends[middle] < numbers[i])
				low = middle + 1;
			else
				high = middle;
		}
		ends[low] = numbers[i];
		length += low == length;
	}
	return length;
}

static const struct order_line **sort(const struct order_list *list)
{
	const struct order_line **sorted =
	    memory_map(list->count * sizeof(struct order_line *) + 1, MAP_NORESERVE);

	for (size_t i = 0; sorted != NULL && i < list->count; i++)
		sorted[i] = &list->lines[i];
	if (sorted != NULL)
		qsort(sorted, list->count, sizeof(struct order_line *), by_name);
	return sorted;
}

/* Prints the functions of a list that the other one, which is sorted, does not have. */
static void print_alone(const struct order_list *list, const struct order_line **sorted,
			size_t count, char sign, FILE *out)
{
	for (size_t i = 0; i < list->count; i++)
		if (find(sorted, count, &list->lines[i]) == NULL)
			fprintf(out, "%c %s\n", sign, list->lines[i].names);
}

bool order_compare(struct order_list lists[2], FILE *out, struct error *error)
{
	const struct order_line **first, **second;
	uint64_t *places = memory_map(lists[0].count * 2 * sizeof(*places) + 1, MAP_NORESERVE);
	size_t both = 0, rising;

	if (!order_tell_apart(lists, 2, error))
		return false;
	first = sort(&lists[0]);
	second = sort(&lists[1]);
	if (first == NULL || second == NULL || places == NULL)
		return error_no_memory(error, "to compare");
	for (size_t i = 0; i < lists[0].count; i++) {
		const struct order_line *other = find(second, lists[1].count, &lists[0].lines[i]);

		if (other != NULL)
			places[both++] = other->place;
	}
	rising = longest_rising(places, both, places + lists[0].count);
	fprintf(out,
		"%zu functions in both, %zu of them in the same order; %zu and %zu in one alone\n",
		both, rising, lists[0].count - both, lists[1].count - both);
	print_alone(&lists[0], second, lists[1].count, '-', out);
	print_alone(&lists[1], first, lists[0].count, '+', out);
	return true;
}
