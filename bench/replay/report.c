/* The results of a replay: a table for people, JSON for programs. */
#include "bench/replay/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL 64
#define CELL  16

/* Writes the policy as --policy takes it. */
static void label_of(const struct chosen_policy *chosen, char label[LABEL])
{
	const char *name = chosen->policy->name;

	if (chosen->policy->pages == 0)
		snprintf(label, LABEL, "%s", name);
	else if (strcmp(name, "next-N") == 0)
		snprintf(label, LABEL, "next-%lu", chosen->pages);
	else
		snprintf(label, LABEL, "%s,pages=%lu", name, chosen->pages);
}

/*
 * The share of touched pages that had been brought in ahead; not a number where none was touched.
 */
static double coverage(const struct simulation_result *result)
{
	return result->touched == 0 ? NAN : (double)result->ahead_used / (double)result->touched;
}

static double accuracy(const struct simulation_result *result)
{
	return result->ahead == 0 ? NAN : (double)result->ahead_used / (double)result->ahead;
}

static double ratio(const struct simulation_result *result)
{
	return result->native > 0 ? result->time / result->native : NAN;
}

/* With `unit` "%" as a percentage; "-" for what is not a number. */
static const char *cell(char text[CELL], double value, const char *unit)
{
	if (isnan(value))
		snprintf(text, CELL, "-");
	else if (unit[0] == '%')
		snprintf(text, CELL, "%.1f%%", 100 * value);
	else
		snprintf(text, CELL, "%.2f%s", value, unit);
	return text;
}

static void print_row(FILE *out, const char *label, int width,
		      const struct simulation_result *result)
{
	char covered[CELL], accurate[CELL], times[CELL];

	fprintf(out, "  %-*s %9lu %9s %9s %9lu %9lu %11.3f %8s\n", width, label, result->faults,
		cell(covered, coverage(result), "%"), cell(accurate, accuracy(result), "%"),
		result->wasted, result->peak, result->time / 1000, cell(times, ratio(result), "x"));
}

static void print_heading(FILE *out, const struct replay *replay)
{
	const struct recording *recording = replay->recording;
	const struct simulation_result *first = &replay->results[0];

	fprintf(out,
		"%s: %s, %lu pages touched of %lu in lazy regions%s; native paging %.3f ms%s\n",
		replay->path, recording->program, first->touched, first->pages,
		recording->regions_guessed ? " (guessed)" : "", first->native / 1000,
		recording->complete ? "" : "; lazy paging ended before the program did");
}

void report_print(FILE *out, const struct replay *replay)
{
	char label[LABEL];
	int width = (int)strlen("policy");

	for (size_t i = 0; i < replay->count; i++) {
		label_of(&replay->policies[i], label);
		if ((int)strlen(label) > width)
			width = (int)strlen(label);
	}
	print_heading(out, replay);
	fprintf(out, "  %-*s %9s %9s %9s %9s %9s %11s %8s\n", width, "policy", "faults", "coverage",
		"accuracy", "wasted", "peak", "modelled ms", "native");
	for (size_t i = 0; i < replay->count; i++) {
		label_of(&replay->policies[i], label);
		print_row(out, label, width, &replay->results[i]);
	}
}

/* JSON is UTF-8; in a name that is not, what is not ASCII becomes a question mark. */
static json_t *text_json(const char *text)
{
	json_t *value = json_string(text);
	char *copy = value == NULL ? strdup(text) : NULL;

	if (copy == NULL)
		return value;
	for (char *at = copy; *at != '\0'; at++)
		if ((unsigned char)*at >= 0x80)
			*at = '?';
	value = json_string(copy);
	free(copy);
	return value;
}

static json_t *number_json(double value)
{
	return isnan(value) ? json_null() : json_real(value);
}

static json_t *integer_json(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *result_json(const struct chosen_policy *chosen,
			   const struct simulation_result *result)
{
	char label[LABEL];

	label_of(chosen, label);
	return json_pack(
	    "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "policy", label, "faults",
	    integer_json(result->faults), "reveal_calls", integer_json(result->reveals), "coverage",
	    number_json(coverage(result)), "accuracy", number_json(accuracy(result)), "ahead_pages",
	    integer_json(result->ahead), "ahead_used", integer_json(result->ahead_used),
	    "wasted_pages", integer_json(result->wasted), "peak_pages", integer_json(result->peak),
	    "modelled_us", number_json(result->time), "ratio", number_json(ratio(result)));
}

json_t *report_json(const struct replay *replay)
{
	const struct recording *recording = replay->recording;
	const struct simulation_result *first = &replay->results[0];
	json_t *results = json_array();

	for (size_t i = 0; i < replay->count; i++)
		json_array_append_new(results,
				      result_json(&replay->policies[i], &replay->results[i]));
	return json_pack("{s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o}", "file",
			 text_json(replay->path), "program", text_json(recording->program),
			 "complete", recording->complete, "regions_guessed",
			 recording->regions_guessed, "region_pages", integer_json(first->pages),
			 "touched_pages", integer_json(first->touched), "native_us",
			 number_json(first->native), "policies", results);
}

json_t *report_costs_json(const struct costs *costs)
{
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "signal", costs->signal, "reveal",
			 costs->reveal, "kernel_fault", costs->kernel_fault, "zero_fault",
			 costs->zero_fault, "populate", costs->populate, "huge", costs->huge,
			 "collapse", costs->collapse);
}
