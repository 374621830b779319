/* Figures that a loader is meant to reach, and whether it did. A missed one is no failure. */
#include "bench/driver/target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* mean-MEASURE or MEASURE or MEASURE/BASELINE */
static bool read_measure(char *text, struct target *target)
{
	char *slash = strchr(text, '/');

	target->is_mean = strncmp(text, "mean-", 5) == 0;
	text += target->is_mean ? 5 : 0;
	target->baseline = NULL;
	if (slash != NULL) {
		*slash = '\0';
		target->baseline = slash + 1;
	}
	target->view = VIEW_RATIO;
	if (strcmp(text, "wall") == 0) {
		target->measure = MEASURE_wall_ns;
	} else if (strcmp(text, "cpu") == 0) {
		target->measure = MEASURE_cpu_us;
	} else {
		target->measure = MEASURE_peak_rss_kb;
		target->view = VIEW_DIFFERENCE;
		return strcmp(text, "rss") == 0 && !target->is_mean;
	}
	return true;
}

const char *target_parse(char *text, struct target *target)
{
	char *limit = text == NULL ? NULL : strchr(text, ':');
	char *loader = limit == NULL ? NULL : strchr(limit + 1, ':');
	char *program = loader == NULL ? NULL : strchr(loader + 1, ':');
	char *end;

	if (program == NULL)
		return "a target is MEASURE:LIMIT:LOADER:PROGRAM";
	*limit++ = *loader++ = *program++ = '\0';
	if (!read_measure(text, target))
		return "the measure of a target is wall, cpu or rss";
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

bool target_add(struct target *target, struct session *session)
{
	if (target->is_mean)
		return true;
	target->command = session_add(session, target->loader, target->program);
	target->other = session_add(session, target->baseline, target->program);
	return target->command != SESSION_NONE && target->other != SESSION_NONE;
}

/*
 * The geometric mean of the medians; no interval, which would need rounds that hold all programs.
 */
static struct interval mean_of(const struct session *session, const struct target *mean,
			       const struct target *targets, size_t count)
{
	double sum = 0, programs = 0, value;

	for (size_t i = 0; i < count; i++) {
		const struct target *target = &targets[i];

		if (target->is_mean || target->measure != mean->measure ||
		    strcmp(target->loader, mean->loader) != 0)
			continue;
		sum += log(session_interval_against(session, target->command, target->other,
						    target->measure, VIEW_RATIO)
			       .median);
		programs++;
	}
	value = exp(sum / programs);
	return (struct interval){value, value, value};
}

static const char *title_of(enum measure measure)
{
	if (measure == MEASURE_peak_rss_kb)
		return "peak RSS";
	return measure == MEASURE_cpu_us ? "CPU time" : "wall time";
}

static void describe(const struct target *target, char *text, size_t length)
{
	int written = snprintf(text, length, "%s under %s, %s", session_label(target->program),
			       session_label(target->loader), title_of(target->measure));

	if (target->baseline != NULL && written > 0 && (size_t)written < length)
		snprintf(text + written, length - (size_t)written, " / %s",
			 session_label(target->baseline));
}

static void print_target(FILE *out, const struct session *session, const struct target *target,
			 struct interval seen)
{
	bool ratio = target->view == VIEW_RATIO;
	char what[120], measured[48], limit[24], verdict[TARGET_VERDICT_LENGTH];
	size_t round;

	describe(target, what, sizeof(what));
	snprintf(limit, sizeof(limit), ratio ? "%.2fx" : "%+.0f KB", target->limit);
	if (!target->is_mean && session_differences(session, target->command, &round) > 0) {
		snprintf(measured, sizeof(measured), "-");
		snprintf(verdict, sizeof(verdict), "not measured");
	} else {
		snprintf(measured, sizeof(measured),
			 ratio ? "%.3fx (%.3f to %.3f)" : "%+.0f KB (%+.0f to %+.0f)", seen.median,
			 seen.low, seen.high);
		target_verdict(target, seen.median, verdict);
	}
	fprintf(out, "%-56s %-24s %8s  %s\n", what, measured, limit, verdict);
}

void target_print(FILE *out, const struct session *session, const struct target *targets,
		  size_t count)
{
	fprintf(out, "%-56s %-24s %8s\n", "against native", "median (95 % interval)", "target");
	for (size_t i = 0; i < count; i++)
		print_target(out, session, &targets[i],
			     targets[i].is_mean ? mean_of(session, &targets[i], targets, count)
						: session_interval_against(
						      session, targets[i].command, targets[i].other,
						      targets[i].measure, targets[i].view));
}
