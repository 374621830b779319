/* A session's summary as CSV (RFC 4180): one line for each command and measure. */
#include "bench/report/export_json.h"

#include <math.h>
#include <string.h>

static void write_field(FILE *out, const char *text)
{
	if (strpbrk(text, ",\"\n\r") == NULL) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void write_line(FILE *out, const struct command *command, const char *measure,
		       struct interval seen, double unit, const char *reason)
{
	write_field(out, command->program);
	fputc(',', out);
	write_field(out, command->loader == NULL ? "native" : command->loader);
	fprintf(out, ",%s,", measure);
	if (isnan(seen.median))
		fprintf(out, ",,,");
	else
		fprintf(out, "%.9g,%.9g,%.9g,", seen.median / unit, seen.low / unit,
			seen.high / unit);
	write_field(out, isnan(seen.median) && reason != NULL ? reason : "");
	fprintf(out, "\r\n");
}

void export_csv(FILE *out, const struct session *session)
{
	fprintf(out, "program,run by,measure,median,low,high,absent because\r\n");
	for (size_t i = 0; i < session->count; i++) {
		const struct command *command = &session->commands[i];

		for (enum measure measure = 0; measure < MEASURE_COUNT; measure++)
			write_line(out, command, sample_name(measure),
				   session_interval(session, i, measure, VIEW_PLAIN),
				   sample_unit(measure), session_absent_reason(session, measure));
		if (command->native != i)
			write_line(out, command, "wall_ratio",
				   session_interval(session, i, MEASURE_wall_ns, VIEW_RATIO), 1,
				   NULL);
	}
}
