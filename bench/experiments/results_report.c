/* Shows what an experiment measured: tables for people, JSON for programs. */
#include "bench/experiments/results_report.h"
#include "bench/shared/json_file.h"
#include "bench/shared/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL 48

static size_t count_columns(const struct table *table)
{
	size_t count = 0;

	while (table->columns[count].name[0] != '\0')
		count++;
	return count;
}

/* The column after the measured ones is there if a row has a prediction. */
static bool has_prediction(const struct table *table)
{
	for (const struct row *row = table->rows; row->name != NULL; row++)
		if (row->predicted > 0)
			return true;
	return false;
}

/* Writes what a row has in a column; "-" when the value is absent in any round. */
static void describe(const struct results *results, size_t row, size_t column, char text[CELL])
{
	const struct table *table = results->tables[row];
	bool is_prediction = column == count_columns(table);
	int decimals = table->columns[is_prediction ? 0 : column].decimals;
	double *values = results_values(results, row, is_prediction ? 0 : column);
	double mean = statistics_mean(values, results->rounds);

	snprintf(text, CELL, "-");
	if (is_prediction && results->rows[row]->predicted > 0)
		snprintf(text, CELL, "%.*f", decimals, results->rows[row]->predicted);
	else if (is_prediction || isnan(mean))
		return;
	else if (table->show == SHOW_MEDIAN)
		snprintf(text, CELL, "%.*f", decimals,
			 statistics_interval(values, results->rounds).median);
	else
		snprintf(text, CELL, "%.*f ± %.*f", decimals, mean, decimals,
			 results->rounds < 2 ? 0.0 : statistics_deviation(values, results->rounds));
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

static const char *heading(const struct table *table, size_t column)
{
	return column == count_columns(table) ? "predicted" : table->columns[column].name;
}

static int column_width(const struct results *results, const struct table *table, size_t column)
{
	int width = width_of(heading(table, column));

	for (size_t row = 0; row < results->row_count; row++) {
		char text[CELL];

		if (results->tables[row] != table)
			continue;
		describe(results, row, column, text);
		if (width_of(text) > width)
			width = width_of(text);
	}
	return width;
}

static int name_width(const struct table *table)
{
	int width = 0;

	for (const struct row *row = table->rows; row->name != NULL; row++)
		if (width_of(row->name) > width)
			width = width_of(row->name);
	return width;
}

/* The heading's line, or that of a row. */
static void print_line(const struct results *results, const struct table *table, const size_t *row,
		       FILE *out)
{
	const char *reason = row != NULL ? results_reason(results, *row) : NULL;

	fprintf(out, "%-*s", name_width(table), row != NULL ? results->rows[*row]->name : "");
	for (size_t column = 0; column < count_columns(table) + has_prediction(table); column++) {
		char text[CELL];

		snprintf(text, sizeof(text), "%s", heading(table, column));
		if (row != NULL)
			describe(results, *row, column, text);
		print_right(out, text, column_width(results, table, column));
	}
	fprintf(out, "%s%s%s\n", reason != NULL ? "  (-: " : "", reason != NULL ? reason : "",
		reason != NULL ? ")" : "");
}

static void print_table(const struct results *results, const struct table *table, FILE *out)
{
	fprintf(out, "\n%s\n", table->title);
	print_line(results, table, NULL, out);
	for (size_t row = 0; row < results->row_count; row++)
		if (results->tables[row] == table)
			print_line(results, table, &row, out);
}

void results_print(const struct results *results, FILE *out)
{
	char *here = results_verdict(results);

	environment_print(out, &results->environment);
	fprintf(out, "%s: %zu MiB, %zu rounds in random order\n", experiment.name,
		results->settings.bytes >> 20, results->rounds);
	for (const struct table *table = experiment.tables; table->title != NULL; table++)
		print_table(results, table, out);
	fprintf(out, "\nThe source: %s\nHere: %s\n", experiment.found,
		here != NULL ? here : "no memory to say it");
	free(here);
}

static json_t *row_json(const struct results *results, size_t row)
{
	double predicted = results->rows[row]->predicted;
	json_t *columns = json_object();

	for (const struct column *column = results->tables[row]->columns; column->name[0] != '\0';
	     column++) {
		const double *read =
		    results_values(results, row, (size_t)(column - results->tables[row]->columns));
		json_t *values = json_array();

		for (size_t i = 0; i < results->rounds; i++)
			json_array_append_new(values,
					      isnan(read[i]) ? json_null() : json_real(read[i]));
		json_object_set_new(columns, column->name, values);
	}
	return json_pack("{s:s, s:o*, s:s*, s:o}", "row", results->rows[row]->name, "predicted",
			 predicted > 0 ? json_real(predicted) : NULL, "absent_because",
			 results_reason(results, row), "columns", columns);
}

static json_t *table_json(const struct results *results, const struct table *table)
{
	json_t *rows = json_array();

	for (size_t row = 0; row < results->row_count; row++)
		if (results->tables[row] == table)
			json_array_append_new(rows, row_json(results, row));
	return json_pack("{s:s, s:o}", "title", table->title, "rows", rows);
}

bool results_write_json(const struct results *results, const char *path)
{
	json_t *tables = json_array();
	json_t *all;
	char *here = results_verdict(results);
	bool written;

	if (here == NULL)
		return false;
	for (const struct table *table = experiment.tables; table->title != NULL; table++)
		json_array_append_new(tables, table_json(results, table));
	all = json_pack("{s:s, s:o, s:I, s:I, s:I, s:s, s:s, s:o}", "experiment", experiment.name,
			"environment", environment_json(&results->environment), "bytes",
			(json_int_t)results->settings.bytes, "rounds", (json_int_t)results->rounds,
			"seed", (json_int_t)results->settings.seed, "source", experiment.found,
			"here", here, "tables", tables);
	written = all != NULL && json_file_write(all, path);
	json_decref(all);
	free(here);
	return written;
}
