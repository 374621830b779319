/* The table for people: a block of lines for each program, a column for each way of running it. */
#include "bench/table.h"

#include <string.h>

#define CELL_LENGTH SESSION_END_LENGTH
#define GAP	    2

struct line {
	const char *title;
	enum measure measure;
	enum view view;
	const char *format;
};

static const struct line lines[] = {
    {"wall time, ms", MEASURE_wall_ns, VIEW_PLAIN, "%.2f"},
    {"x native", MEASURE_wall_ns, VIEW_RATIO, "%.2f"},
    {"peak RSS, KB", MEASURE_peak_rss_kb, VIEW_PLAIN, "%.0f"},
    {"minor faults", MEASURE_minor_faults, VIEW_PLAIN, "%.0f"},
};

/* What the columns are, and how wide. */
struct layout {
	FILE *out;
	const struct session *session;
	char *const *loaders;
	size_t count;
	int program_width, title_width;
};

static int wider(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

static struct layout layout_measure(FILE *out, const struct session *session, char *const *loaders,
				    size_t count)
{
	struct layout layout = {out, session, loaders, count, 0, 0};

	for (size_t i = 0; i < session->count; i++)
		layout.program_width =
		    wider(layout.program_width, session_label(session->commands[i].program));
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		layout.title_width = wider(layout.title_width, lines[i].title);
	return layout;
}

/* Column 0 is the native run. */
static const char *column_loader(const struct layout *layout, size_t column)
{
	return column == 0 ? NULL : layout->loaders[column - 1];
}

static void print_cell(const struct layout *layout, size_t column, const char *text)
{
	const char *loader = column_loader(layout, column);
	const char *heading = loader == NULL ? "native" : session_label(loader);

	fprintf(layout->out, "%*s", GAP + wider(9, heading), text);
}

static void print_heading(const struct layout *layout)
{
	fprintf(layout->out, "%*s", layout->program_width + GAP + layout->title_width, "");
	for (size_t column = 0; column <= layout->count; column++) {
		const char *loader = column_loader(layout, column);

		print_cell(layout, column, loader == NULL ? "native" : session_label(loader));
	}
	fprintf(layout->out, "\n");
}

static void print_line(const struct layout *layout, const char *program, const struct line *line)
{
	for (size_t column = 0; column <= layout->count; column++) {
		size_t command =
		    session_find(layout->session, column_loader(layout, column), program);
		char text[CELL_LENGTH] = "-";
		size_t round;

		if (session_differences(layout->session, command, &round) == 0)
			snprintf(
			    text, sizeof(text), line->format,
			    session_quartiles(layout->session, command, line->measure, line->view)
				.median);
		print_cell(layout, column, text);
	}
	fprintf(layout->out, "\n");
}

static void print_ends(const struct layout *layout, const char *program)
{
	for (size_t column = 0; column <= layout->count; column++) {
		const struct session *session = layout->session;
		size_t command = session_find(session, column_loader(layout, column), program);
		size_t round = 0;
		size_t differences = session_differences(session, command, &round);
		char end[SESSION_END_LENGTH];
		char text[SESSION_END_LENGTH + 2];

		session_describe_end(&session->commands[command].samples[round], end);
		snprintf(text, sizeof(text), "%s%s", differences > 0 ? "! " : "", end);
		print_cell(layout, column, text);
	}
	fprintf(layout->out, "\n");
}

void table_print(FILE *out, const struct session *session, char *const *loaders, size_t count)
{
	struct layout layout = layout_measure(out, session, loaders, count);

	print_heading(&layout);
	for (size_t i = 0; i < session->count; i++) {
		const char *program = session->commands[i].program;
		const char *shown = session_label(program);

		if (session->commands[i].loader != NULL || program[0] == '\0')
			continue;
		for (size_t j = 0; j < sizeof(lines) / sizeof(lines[0]); j++) {
			fprintf(out, "%-*s%-*s", layout.program_width + GAP, shown,
				layout.title_width, lines[j].title);
			print_line(&layout, program, &lines[j]);
			shown = "";
		}
		fprintf(out, "%-*s%-*s", layout.program_width + GAP, "", layout.title_width,
			"ended");
		print_ends(&layout, program);
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
