/* The results in one line a program: wall time against native, and peak RSS. */
#include "bench/report/table.h"

#include <math.h>
#include <string.h>

/* The first loaders of a session; more would not fit in a line. */
#define LOADERS_MAX 4
#define WIDTH	    11

struct loaders {
	const char *names[LOADERS_MAX];
	size_t count;
};

static void add_loader(struct loaders *loaders, const char *name)
{
	for (size_t i = 0; i < loaders->count; i++)
		if (strcmp(loaders->names[i], name) == 0)
			return;
	if (loaders->count < LOADERS_MAX)
		loaders->names[loaders->count++] = name;
}

/* Prints a loader's name, without "_loader", which all loaders of this project end in. */
static void print_name(FILE *out, const char *loader)
{
	const char *label = session_label(loader);
	const char *end = strstr(label, "_loader");

	fprintf(out, " %*.*s", WIDTH, end == NULL || end[7] != '\0' ? WIDTH : (int)(end - label),
		label);
}

static void print_heading(FILE *out, const struct loaders *loaders, int width)
{
	int half = (int)(loaders->count + 1) * (WIDTH + 1);

	fprintf(out, "%*s%-*s  %s\n%*s", width, "", half, "  wall time: ms, x native",
		"  peak RSS, KB", width, "");
	for (int part = 0; part < 2; part++) {
		fprintf(out, " %*s", WIDTH + 2 * part, "native");
		for (size_t i = 0; i < loaders->count; i++)
			print_name(out, loaders->names[i]);
	}
	fprintf(out, "\n");
}

/* "-" when it is absent, or the run ended otherwise than the native one. */
static void print_cell(FILE *out, const struct session *session, size_t command,
		       enum measure measure, enum view view, int width)
{
	const char *format = measure == MEASURE_peak_rss_kb ? "%.0f" : "%.2f";
	char text[32] = "-";
	size_t round;

	if (command != SESSION_NONE && session_differences(session, command, &round) == 0) {
		double median = session_interval(session, command, measure, view).median;

		if (!isnan(median))
			snprintf(text, sizeof(text), format, median);
	}
	fprintf(out, " %*s", width, text);
}

static void print_program(FILE *out, const struct session *session, const struct loaders *loaders,
			  size_t native, int width)
{
	const char *program = session->commands[native].program;

	fprintf(out, "%-*.*s", width, width, session_label(program));
	print_cell(out, session, native, MEASURE_wall_ns, VIEW_PLAIN, WIDTH);
	for (size_t i = 0; i < loaders->count; i++)
		print_cell(out, session, session_find(session, loaders->names[i], program),
			   MEASURE_wall_ns, VIEW_RATIO, WIDTH);
	print_cell(out, session, native, MEASURE_peak_rss_kb, VIEW_PLAIN, WIDTH + 2);
	for (size_t i = 0; i < loaders->count; i++)
		print_cell(out, session, session_find(session, loaders->names[i], program),
			   MEASURE_peak_rss_kb, VIEW_PLAIN, WIDTH);
	fprintf(out, "\n");
}

void matrix_print(FILE *out, const struct session *session, int width)
{
	struct loaders loaders = {.count = 0};

	for (size_t i = 0; i < session->count; i++)
		if (session->commands[i].loader != NULL)
			add_loader(&loaders, session->commands[i].loader);
	print_heading(out, &loaders, width);
	for (size_t i = 0; i < session->count; i++)
		if (session->commands[i].native == i && session->commands[i].program[0] != '\0')
			print_program(out, session, &loaders, i, width);
}
