/* The results for people: a row for each way of running each program. */
#include "bench/report/table.h"

#include <math.h>
#include <string.h>

#define CELL 40

struct column {
	const char *title;
	enum measure measure;
	enum view view;
	const char *format; /* of the median */
	bool interval;	    /* shown after the median */
};

static const struct column columns[] = {
    {"wall, ms", MEASURE_wall_ns, VIEW_PLAIN, "%.2f", false},
    {"x native (95 %)", MEASURE_wall_ns, VIEW_RATIO, "%.2f", true},
    {"user, ms", MEASURE_user_us, VIEW_PLAIN, "%.2f", false},
    {"system, ms", MEASURE_system_us, VIEW_PLAIN, "%.2f", false},
    {"peak RSS, KB", MEASURE_peak_rss_kb, VIEW_PLAIN, "%.0f", false},
    {"minor faults", MEASURE_minor_faults, VIEW_PLAIN, "%.0f", false},
    {"major", MEASURE_major_faults, VIEW_PLAIN, "%.0f", false},
    {"served", MEASURE_faults_served, VIEW_PLAIN, "%.0f", false},
    {"ahead", MEASURE_pages_ahead, VIEW_PLAIN, "%.0f", false},
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool is_native(const struct session *session, size_t command)
{
	return session->commands[command].native == command;
}

/* A native run is no ratio to itself. What is absent is "-". */
static void describe(const struct session *session, size_t command, const struct column *column,
		     char text[CELL])
{
	struct interval seen = session_interval(session, command, column->measure, column->view);
	int used;

	snprintf(text, CELL, "%s",
		 is_native(session, command) && column->view != VIEW_PLAIN ? "" : "-");
	if (isnan(seen.median) || text[0] == '\0')
		return;
	used = snprintf(text, CELL, column->format, seen.median);
	if (column->interval)
		snprintf(text + used, CELL - (size_t)used, " (%.2f-%.2f)", seen.low, seen.high);
}

static void describe_row(const struct session *session, size_t command, char cells[COLUMNS][CELL])
{
	char end[SESSION_END_LENGTH];
	size_t round, differences = session_differences(session, command, &round);

	for (size_t i = 0; i < COLUMNS; i++) {
		if (differences > 0)
			snprintf(cells[i], CELL, "-");
		else
			describe(session, command, &columns[i], cells[i]);
	}
	if (differences == 0)
		return;
	session_describe_end(&session->commands[command].samples[round], end);
	snprintf(cells[0], CELL, "! %s", end);
}

static const char *row_name(const struct session *session, size_t command)
{
	const char *loader = session->commands[command].loader;

	return loader == NULL ? "native" : session_label(loader);
}

static int wider(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

/* widths[0] is that of the names, then come the columns. */
static void measure_widths(const struct session *session, int widths[COLUMNS + 1])
{
	widths[0] = 0;
	for (size_t i = 0; i < COLUMNS; i++)
		widths[i + 1] = (int)strlen(columns[i].title);
	for (size_t command = 0; command < session->count; command++) {
		char cells[COLUMNS][CELL];

		widths[0] = wider(widths[0], row_name(session, command));
		describe_row(session, command, cells);
		for (size_t i = 0; i < COLUMNS; i++)
			widths[i + 1] = wider(widths[i + 1], cells[i]);
	}
}

/* `cells`: NULL for the heading's. */
static void print_line(FILE *out, enum table_style style, const int widths[COLUMNS + 1],
		       const char *program, const char *name, char (*cells)[CELL])
{
	if (style == TABLE_MARKDOWN)
		fprintf(out, "| %s | %s |", program, name);
	else
		fprintf(out, "  %-*s", widths[0], name);
	for (size_t i = 0; i < COLUMNS; i++)
		fprintf(out, style == TABLE_MARKDOWN ? " %*s |" : "  %*s",
			style == TABLE_MARKDOWN ? 0 : widths[i + 1],
			cells == NULL ? columns[i].title : cells[i]);
	fprintf(out, "\n");
}

static void print_row(FILE *out, const struct session *session, size_t command,
		      enum table_style style, const int widths[COLUMNS + 1])
{
	char cells[COLUMNS][CELL];

	describe_row(session, command, cells);
	print_line(out, style, widths, session_label(session->commands[command].program),
		   row_name(session, command), cells);
}

static void print_heading(FILE *out, enum table_style style, const int widths[COLUMNS + 1])
{
	print_line(out, style, widths, "program", style == TABLE_MARKDOWN ? "run by" : "", NULL);
	if (style != TABLE_MARKDOWN)
		return;
	fprintf(out, "|---|---|");
	for (size_t i = 0; i < COLUMNS; i++)
		fprintf(out, "---:|");
	fprintf(out, "\n");
}

void table_print(FILE *out, const struct session *session, enum table_style style)
{
	int widths[COLUMNS + 1];

	measure_widths(session, widths);
	print_heading(out, style, widths);
	for (size_t i = 0; i < session->count; i++) {
		if (!is_native(session, i) || session->commands[i].program[0] == '\0')
			continue;
		if (style == TABLE_TEXT)
			fprintf(out, "%s\n", session_label(session->commands[i].program));
		for (size_t j = 0; j < session->count; j++)
			if (session->commands[j].native == i)
				print_row(out, session, j, style, widths);
	}
}

size_t table_print_differences(FILE *out, const struct session *session)
{
	size_t found = 0;

	for (size_t i = 0; i < session->count; i++) {
		const struct command *command = &session->commands[i];
		char end[SESSION_END_LENGTH], native[SESSION_END_LENGTH];
		size_t round;
		size_t differences = session_differences(session, i, &round);

		if (differences == 0)
			continue;
		found++;
		session_describe_end(&command->samples[round], end);
		session_describe_end(&session->commands[command->native].samples[round], native);
		fprintf(out, "! %s, native: %s, in %zu of %zu runs of: %s %s\n", end, native,
			differences, session_rounds(session), command->loader, command->program);
	}
	return found;
}

void table_print_absent(FILE *out, const struct session *session)
{
	const char *last = NULL;

	for (enum measure i = 0; i < MEASURE_COUNT; i++) {
		const char *reason = session_absent_reason(session, i);

		if (reason == NULL)
			continue;
		if (last == NULL || strcmp(reason, last) != 0)
			fprintf(out, "%s- %s: %s", last == NULL ? "" : "\n", reason,
				sample_name(i));
		else
			fprintf(out, ", %s", sample_name(i));
		last = reason;
	}
	if (last != NULL)
		fprintf(out, "\n");
}
