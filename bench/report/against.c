/* Two files of results: what changed beyond the noise. */
#include "bench/report/against.h"
#include "bench/session/session.h"

#include <string.h>

struct quantity {
	const char *name, *title;
	double unit; /* the factor from the file's unit to the one shown */
	const char *format;
};

/* A native run is compared by its time, a loader by its ratio to native, pair by pair. */
static const struct quantity of_native[] = {{"wall_ns", "wall time", 1e-6, "%.2f ms"},
					    {"peak_rss_kb", "peak RSS", 1, "%.0f KB"}};
static const struct quantity of_loader[] = {{"wall_ratio", "x native", 1, "%.3f"},
					    {"peak_rss_kb", "peak RSS", 1, "%.0f KB"}};

static const char *text_of(const json_t *command, const char *key)
{
	const char *text = json_string_value(json_object_get(command, key));

	return text == NULL ? "" : text;
}

static const json_t *find(const json_t *results, const json_t *wanted)
{
	size_t index;
	const json_t *command;

	json_array_foreach(
	    json_object_get(results, "commands"), index,
	    command) if (strcmp(text_of(command, "program"), text_of(wanted, "program")) == 0 &&
			 strcmp(text_of(command, "loader"), text_of(wanted, "loader")) ==
			     0) return command;
	return NULL;
}

static bool read_interval(const json_t *command, const struct quantity *quantity,
			  struct interval *interval)
{
	const json_t *value = json_object_get(json_object_get(command, "summary"), quantity->name);

	*interval = (struct interval){
	    .low = json_number_value(json_object_get(value, "low")) * quantity->unit,
	    .median = json_number_value(json_object_get(value, "median")) * quantity->unit,
	    .high = json_number_value(json_object_get(value, "high")) * quantity->unit,
	};
	return json_is_number(json_object_get(value, "median"));
}

static const char *native_or(const char *loader)
{
	return loader[0] == '\0' ? "native" : session_label(loader);
}

/* Prints a line and returns true if the quantity changed; counts in *same if not. */
static int compare(FILE *out, const json_t *before, const json_t *now,
		   const struct quantity *quantity, int *same)
{
	struct interval was, is;
	char medians[2][32];

	if (!read_interval(before, quantity, &was) || !read_interval(now, quantity, &is))
		return 0;
	if (was.low <= is.high && is.low <= was.high) {
		++*same;
		return 0;
	}
	snprintf(medians[0], sizeof(medians[0]), quantity->format, was.median);
	snprintf(medians[1], sizeof(medians[1]), quantity->format, is.median);
	fprintf(out, "%s, %s: %s %s, was %s (%+.1f %%)\n", session_label(text_of(now, "program")),
		native_or(text_of(now, "loader")), quantity->title, medians[1], medians[0],
		100 * (is.median / was.median - 1));
	return 1;
}

/* Commands, the launcher alone apart, that are in the one and not in the other. */
static size_t count_missing(const json_t *from, const json_t *in)
{
	size_t index, missing = 0;
	const json_t *command;

	json_array_foreach(json_object_get(from, "commands"), index, command) missing +=
	    text_of(command, "program")[0] != '\0' && find(in, command) == NULL;
	return missing;
}

int against_print(FILE *out, const json_t *before, const json_t *now)
{
	int changed = 0, same = 0;
	size_t index, missing;
	const json_t *command;

	if (!json_is_array(json_object_get(before, "commands")) ||
	    !json_is_array(json_object_get(now, "commands")))
		return -1;
	json_array_foreach(json_object_get(now, "commands"), index, command)
	{
		const json_t *other = find(before, command);
		const struct quantity *quantities =
		    text_of(command, "loader")[0] == '\0' ? of_native : of_loader;

		/* The launcher alone has no program, and is no result. */
		if (other == NULL || text_of(command, "program")[0] == '\0')
			continue;
		for (size_t i = 0; i < 2; i++)
			changed += compare(out, other, command, &quantities[i], &same);
	}
	missing = count_missing(now, before) + count_missing(before, now);
	fprintf(out, "%d changed beyond the noise, %d did not", changed, same);
	if (missing > 0)
		fprintf(out, "; %zu commands are in one of the two only", missing);
	fprintf(out, "\n");
	return changed;
}
