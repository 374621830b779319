/* Conditions that make results doubtful, each with a remedy. */
#include "bench/report/warnings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An interval of the ratio wider than this share of it leaves the question open. */
#define NOISY 0.10

/* If other programs keep more processors than this busy, caches and clock are disturbed. */
#define BUSY 0.5

/* Frequencies that differ by more than this share changed while we measured. */
#define CHANGED 0.05

struct list {
	size_t count;
	char (*texts)[WARNINGS_LENGTH];
};

static char *next(struct list *list)
{
	return list->texts[list->count++];
}

static void check_rounds(const struct session *session, struct list *list)
{
	if (session->rounds[ROUND_time] < STATISTICS_ENOUGH)
		snprintf(next(list), WARNINGS_LENGTH,
			 "%zu rounds are too few for a 95 %% interval, which needs %d: what is "
			 "shown is the smallest and the largest. Try --rounds=20.",
			 session->rounds[ROUND_time], STATISTICS_ENOUGH);
}

static void check_load(const struct environment *before, const struct environment *after,
		       struct list *list)
{
	if (before->load > BUSY || after->load > BUSY)
		snprintf(
		    next(list), WARNINGS_LENGTH,
		    "the machine was busy with other programs (load %.1f before the first run, "
		    "%.1f after the last; %ld CPUs). Stop them, or wait for them.",
		    before->load, after->load, before->cpus);
}

/* The setting behind the project's own figures. It decides what the first touch of 2 MiB costs. */
#define USUAL_HUGE_PAGES "madvise"

static void check_huge_pages(const struct environment *before, struct list *list)
{
	if (before->thp[0] != '\0' && strcmp(before->thp, USUAL_HUGE_PAGES) != 0)
		snprintf(next(list), WARNINGS_LENGTH,
			 "transparent huge pages are %s, and the published figures were measured "
			 "with " USUAL_HUGE_PAGES
			 ". Compare with those of the sessions called always, or: "
			 "echo " USUAL_HUGE_PAGES " > /sys/kernel/mm/transparent_hugepage/enabled.",
			 before->thp);
}

static void check_frequency(const struct environment *before, const struct environment *after,
			    struct list *list)
{
	if (before->governor[0] != '\0' && strcmp(before->governor, "performance") != 0)
		snprintf(next(list), WARNINGS_LENGTH,
			 "the frequency governor is %s. Set it to performance: cpupower "
			 "frequency-set -g performance.",
			 before->governor);
	if (before->megahertz > 0 && after->megahertz > 0 &&
	    fabs(after->megahertz / before->megahertz - 1) > CHANGED)
		snprintf(next(list), WARNINGS_LENGTH,
			 "the CPU ran at %.0f MHz before and at %.0f MHz after. Let it cool down, "
			 "or fix its frequency.",
			 before->megahertz, after->megahertz);
}

static void check_noise(const struct session *session, struct list *list)
{
	double widest = 0;
	size_t which = 0;

	for (size_t i = 0; i < session->count; i++) {
		struct interval ratio = session_interval(session, i, MEASURE_wall_ns, VIEW_RATIO);
		double width = (ratio.high - ratio.low) / ratio.median;

		if (session->commands[i].native != i && width > widest) {
			widest = width;
			which = i;
		}
	}
	if (widest > NOISY)
		snprintf(next(list), WARNINGS_LENGTH,
			 "times vary: the 95 %% interval of %s %s is %.0f %% wide. Use a quiet "
			 "machine or more --rounds.",
			 session_label(session->commands[which].loader),
			 session_label(session->commands[which].program), 100 * widest);
}

static void check_memory(const struct session *session, struct list *list)
{
	if (!session_rss_exact(session))
		snprintf(next(list), WARNINGS_LENGTH,
			 "peak RSS is as wait4 counts it, in steps of 128 KB and more. Permit "
			 "ptrace: see /proc/sys/kernel/yama/ptrace_scope.");
	if (session_user_only(session))
		snprintf(next(list), WARNINGS_LENGTH,
			 "counters leave out the kernel's part. Be root, or: sysctl "
			 "kernel.perf_event_paranoid=1.");
}

/* Warns of a native run that failed: its command line may be wrong, and loaders then fail alike. */
static void check_ends(const struct session *session, struct list *list)
{
	for (size_t i = 0; i < session->count; i++) {
		const struct command *command = &session->commands[i];
		int status = command->samples[session_rounds(session) - 1].exit_code;

		if (command->native != i || status == 0)
			continue;
		snprintf(next(list), WARNINGS_LENGTH,
			 "%s ends with status %d. Run it by itself to see what it says.",
			 session_label(command->program), status);
		return;
	}
}

size_t warnings_find(const struct session *session, const struct environment *before,
		     const struct environment *after, char texts[WARNINGS_MAX][WARNINGS_LENGTH])
{
	struct list list = {.texts = texts};

	check_ends(session, &list);
	check_rounds(session, &list);
	check_load(before, after, &list);
	check_huge_pages(before, &list);
	check_frequency(before, after, &list);
	check_noise(session, &list);
	check_memory(session, &list);
	return list.count;
}
