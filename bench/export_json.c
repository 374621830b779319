/* Writes a session with its raw samples and its environment as JSON. */
#include "bench/export_json.h"

#include <inttypes.h>

/* NULL and "" are null. Bytes above 0x7f pass as they are: a path is UTF-8 wherever it is text. */
static void write_text(FILE *out, const char *text)
{
	if (text == NULL || text[0] == '\0') {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	for (; *text != '\0'; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte < 0x20)
			fprintf(out, "\\u%04x", byte);
		else if (byte == '"' || byte == '\\')
			fprintf(out, "\\%c", byte);
		else
			fputc(byte, out);
	}
	fputc('"', out);
}

static void write_member(FILE *out, const char *name, const char *text, const char *end)
{
	fprintf(out, "    \"%s\": ", name);
	write_text(out, text);
	fputs(end, out);
}

static void write_number(FILE *out, const char *name, long number, const char *end)
{
	if (number < 0)
		fprintf(out, "    \"%s\": null%s", name, end);
	else
		fprintf(out, "    \"%s\": %ld%s", name, number, end);
}

static void write_environment(FILE *out, const struct environment *environment)
{
	fputs("  \"environment\": {\n", out);
	write_member(out, "cpu", environment->cpu, ",\n");
	write_number(out, "cpus", environment->cpus, ",\n");
	write_number(out, "memory_kb", environment->memory_kb, ",\n");
	write_member(out, "kernel", environment->kernel, ",\n");
	write_member(out, "transparent_huge_pages", environment->thp, ",\n");
	write_member(out, "date", environment->date, "\n  },\n");
}

static void write_sample(FILE *out, const struct run_sample *sample, bool memory)
{
	static const char *const names[] = {
#define X(name, unit) #name,
	    SAMPLE_MEASURES(X)
#undef X
	};
	/* The launcher alone has no memory of its own: its process never leaves the launcher's. */
	bool unknown = memory && sample->counted[MEASURE_peak_rss_kb] == 0;
	char end[SESSION_END_LENGTH];

	fprintf(out, "        {\"for\": \"%s\", ", memory ? "memory" : "time");
	for (size_t i = 0; i < MEASURE_COUNT; i++)
		if (unknown && i == MEASURE_peak_rss_kb)
			fprintf(out, "\"%s\": null, ", names[i]);
		else if (memory == (i == MEASURE_peak_rss_kb))
			fprintf(out, "\"%s\": %" PRId64 ", ", names[i], sample->counted[i]);
	session_describe_end(sample, end);
	fprintf(out, "\"ended\": \"%s\"}", end);
}

static void write_command(FILE *out, const struct session *session, const struct command *command)
{
	fputs("    {\n  ", out);
	write_member(out, "program", command->program, ",\n  ");
	write_member(out, "loader", command->loader, ",\n");
	fputs("      \"samples\": [\n", out);
	for (size_t i = 0; i < session_rounds(session); i++) {
		write_sample(out, &command->samples[i], i < session->memory_rounds);
		fputs(i + 1 < session_rounds(session) ? ",\n" : "\n", out);
	}
	fputs("      ]\n    }", out);
}

void export_json(FILE *out, const struct session *session, const struct environment *environment)
{
	fputs("{\n", out);
	write_environment(out, environment);
	fprintf(out, "  \"memory_rounds\": %zu,\n", session->memory_rounds);
	fprintf(out, "  \"time_rounds\": %zu,\n", session->time_rounds);
	fprintf(out, "  \"seed\": %" PRIu64 ",\n", session->seed);
	fprintf(out, "  \"peak_rss_exact\": %s,\n", session_rss_exact(session) ? "true" : "false");
	fputs("  \"commands\": [\n", out);
	for (size_t i = 0; i < session->count; i++) {
		write_command(out, session, &session->commands[i]);
		fputs(i + 1 < session->count ? ",\n" : "\n", out);
	}
	fputs("  ]\n}\n", out);
}
