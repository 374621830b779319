/* Shows what an experiment measured: tables for people, JSON for programs. */
#include "bench/experiments/results_report.h"
#include "bench/shared/json_file.h"
#include "bench/shared/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL 48

/* Writes what a row has in a column; "-" when the value is absent in any round. */
static void describe(const struct results *results, const struct table *table, size_t row,
		     size_t column, char text[CELL])
{
	double *values = calloc(results->rounds, sizeof(*values));
	int decimals = table->columns[column].decimals;
	double sum = 0;

	snprintf(text, CELL, "-");
	if (values == NULL)
		return;
	results_values(results, row, column, values);
	for (size_t i = 0; i < results->rounds; i++)
		sum += values[i];
	if (!isnan(sum) && table->show == SHOW_MEDIAN)
		snprintf(text, CELL, "%.*f", decimals,
			 statistics_interval(values, results->rounds).median);
	else if (!isnan(sum))
		snprintf(text, CELL, "%.*f ± %.*f", decimals,
			 statistics_mean(values, results->rounds), decimals,
			 results->rounds < 2 ? 0.0 : statistics_deviation(values, results->rounds));
	free(values);
}

/* Letters, not bytes: all but the continuation bytes of UTF-8. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text != '\0'; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static void print_right(FILE *out, const char *text, int width)
{
	fprintf(out, "  %*s%s", width > width_of(text) ? width - width_of(text) : 0, "", text);
}

static bool has_prediction(const struct table *table)
{
	for (size_t i = 0; i < table_rows(table); i++)
		if (table->rows[i].predicted > 0)
			return true;
	return false;
}

static int column_width(const struct results *results, const struct table *table, size_t first,
			size_t column)
{
	int width = width_of(table->columns[column].name);

	for (size_t row = 0; row < table_rows(table); row++) {
		char text[CELL];

		describe(results, table, first + row, column, text);
		if (width_of(text) > width)
			width = width_of(text);
	}
	return width;
}

static int name_width(const struct table *table)
{
	int width = 0;

	for (size_t i = 0; i < table_rows(table); i++)
		if (width_of(table->rows[i].name) > width)
			width = width_of(table->rows[i].name);
	return width;
}

static void print_row(const struct results *results, const struct table *table, size_t first,
		      size_t row, FILE *out)
{
	const char *reason = results_reason(results, first + row);

	fprintf(out, "%-*s", name_width(table), table->rows[row].name);
	for (size_t column = 0; column < table_columns(table); column++) {
		char text[CELL];

		describe(results, table, first + row, column, text);
		print_right(out, text, column_width(results, table, first, column));
	}
	if (has_prediction(table)) {
		char text[CELL] = "-";

		if (table->rows[row].predicted > 0)
			snprintf(text, sizeof(text), "%.*f", table->columns[0].decimals,
				 table->rows[row].predicted);
		print_right(out, text, 9);
	}
	fprintf(out, "%s%s%s\n", reason != NULL ? "  (-: " : "", reason != NULL ? reason : "",
		reason != NULL ? ")" : "");
}

static void print_table(const struct results *results, size_t number, FILE *out)
{
	const struct table *table = &results->experiment->tables[number];
	size_t first = results_first_row(results, number);

	fprintf(out, "\n%s\n%*s", table->title, name_width(table), "");
	for (size_t column = 0; column < table_columns(table); column++)
		print_right(out, table->columns[column].name,
			    column_width(results, table, first, column));
	if (has_prediction(table))
		print_right(out, "predicted", 9);
	fprintf(out, "\n");
	for (size_t row = 0; row < table_rows(table); row++)
		print_row(results, table, first, row, out);
}

void results_print(const struct results *results, FILE *out)
{
	const struct experiment *experiment = results->experiment;
	char *here = results_verdict(results);

	environment_print(out, &results->environment);
	fprintf(out, "%s: %zu MiB, %zu rounds in random order\n", experiment->name,
		results->settings.bytes >> 20, results->rounds);
	for (size_t i = 0; i < experiment->table_count; i++)
		print_table(results, i, out);
	fprintf(out, "\nThe source: %s\nHere: %s\n", experiment->found,
		here != NULL ? here : "no memory to say it");
	free(here);
}

static json_t *row_json(const struct results *results, const struct table *table, size_t first,
			size_t row)
{
	json_t *columns = json_object();
	const char *reason = results_reason(results, first + row);

	for (size_t column = 0; column < table_columns(table); column++) {
		json_t *values = json_array();

		for (size_t i = 0; i < results->rounds; i++) {
			double value =
			    results->readings[i * results->row_count + first + row].value[column];

			json_array_append_new(values,
					      isnan(value) ? json_null() : json_real(value));
		}
		json_object_set_new(columns, table->columns[column].name, values);
	}
	return json_pack("{s:s, s:o*, s:s*, s:o}", "row", table->rows[row].name, "predicted",
			 table->rows[row].predicted > 0 ? json_real(table->rows[row].predicted)
							: NULL,
			 "absent_because", reason, "columns", columns);
}

static json_t *table_json(const struct results *results, size_t number)
{
	const struct table *table = &results->experiment->tables[number];
	json_t *rows = json_array();

	for (size_t row = 0; row < table_rows(table); row++)
		json_array_append_new(
		    rows, row_json(results, table, results_first_row(results, number), row));
	return json_pack("{s:s, s:o}", "title", table->title, "rows", rows);
}

bool results_write_json(const struct results *results, const char *path)
{
	const struct experiment *experiment = results->experiment;
	json_t *tables = json_array();
	json_t *all;
	char *here = results_verdict(results);
	bool written;

	if (here == NULL)
		return false;
	for (size_t i = 0; i < experiment->table_count; i++)
		json_array_append_new(tables, table_json(results, i));
	all = json_pack("{s:s, s:o, s:I, s:I, s:I, s:s, s:s, s:o}", "experiment", experiment->name,
			"environment", environment_json(&results->environment), "bytes",
			(json_int_t)results->settings.bytes, "rounds", (json_int_t)results->rounds,
			"seed", (json_int_t)results->settings.seed, "source", experiment->found,
			"here", here, "tables", tables);
	written = all != NULL && json_file_write(all, path);
	json_decref(all);
	free(here);
	return written;
}
