/* Figures that a loader is meant to reach, and whether it did. A missed one is no failure. */
#include "bench/target.h"

#include <stdlib.h>
#include <string.h>

const char *target_parse(char *text, struct target *target)
{
	char *limit = text == NULL ? NULL : strchr(text, ':');
	char *loader = limit == NULL ? NULL : strchr(limit + 1, ':');
	char *program = loader == NULL ? NULL : strchr(loader + 1, ':');
	char *end;

	if (program == NULL)
		return "a target is MEASURE:LIMIT:LOADER:PROGRAM";
	*limit++ = *loader++ = *program++ = '\0';
	if (strcmp(text, "wall") == 0) {
		target->measure = MEASURE_wall_ns;
		target->view = VIEW_RATIO;
	} else if (strcmp(text, "rss") == 0) {
		target->measure = MEASURE_peak_rss_kb;
		target->view = VIEW_DIFFERENCE;
	} else {
		return "the measure of a target is wall or rss";
	}
	target->limit = strtod(limit, &end);
	if (end == limit || *end != '\0')
		return "the limit of a target is a number";
	if (*loader == '\0' || *program == '\0')
		return "a target names a loader and a program";
	target->loader = loader;
	target->program = program;
	return NULL;
}

void target_verdict(const struct target *target, double measured, char text[TARGET_VERDICT_LENGTH])
{
	double excess = measured - target->limit;

	if (excess <= 0)
		snprintf(text, TARGET_VERDICT_LENGTH, "met");
	else if (target->view == VIEW_RATIO)
		snprintf(text, TARGET_VERDICT_LENGTH, "missed by %.3fx", excess);
	else
		snprintf(text, TARGET_VERDICT_LENGTH, "missed by %.0f KB", excess);
}

static void print_target(FILE *out, const struct session *session, const struct target *target)
{
	struct interval seen =
	    session_interval(session, target->command, target->measure, target->view);
	bool ratio = target->view == VIEW_RATIO;
	char what[80], measured[48], limit[24], verdict[TARGET_VERDICT_LENGTH];
	size_t round;

	snprintf(what, sizeof(what), "%s under %s, %s", session_label(target->program),
		 session_label(target->loader), ratio ? "wall time" : "peak RSS");
	snprintf(limit, sizeof(limit), ratio ? "%.2fx" : "%+.0f KB", target->limit);
	if (session_differences(session, target->command, &round) > 0) {
		snprintf(measured, sizeof(measured), "-");
		snprintf(verdict, sizeof(verdict), "not measured");
	} else {
		snprintf(measured, sizeof(measured),
			 ratio ? "%.3fx (%.3f to %.3f)" : "%+.0f KB (%+.0f to %+.0f)", seen.median,
			 seen.low, seen.high);
		target_verdict(target, seen.median, verdict);
	}
	fprintf(out, "%-44s %-24s %8s  %s\n", what, measured, limit, verdict);
}

void target_print(FILE *out, const struct session *session, const struct target *targets,
		  size_t count)
{
	fprintf(out, "%-44s %-24s %8s\n", "against native", "median (95 % interval)", "target");
	for (size_t i = 0; i < count; i++)
		print_target(out, session, &targets[i]);
}
