#include "loader/watch/statistics_print.h"

#include "common/printable.h"
#include "loader/cli/policies.h"
#include "loader/resident/pager/regions.h"
#include "loader/watch/json.h"
#include "loader/watch/nothing_hidden.h"
#include "loader/watch/trace_words.h"

#include <limits.h>
#include <string.h>
#include <sys/wait.h>

/* As many names of calls stand in the text. */
#define MOST_CALLS 5

/* The strategy of all pages without a hint. */
static const char *placement_text(const struct placement *placement, char *text, size_t bytes)
{
	return strategy_text(&placement->rules[placement->count - 1].strategy, text, bytes);
}

/*
 * Takes the most frequent call that is left away from the counts, the first of several; -1: none is
 * left.
 */
static long take_most_frequent(uint64_t *calls, uint64_t *count)
{
	long most = -1;

	for (long number = 0; number <= COUNTED_CALLS; number++)
		if (calls[number] > (most < 0 ? 0 : calls[most]))
			most = number;
	*count = most < 0 ? 0 : calls[most];
	if (most >= 0)
		calls[most] = 0;
	return most;
}

/* Tells each call's name and how often it was made, the most frequent first, at most so many. */
static void each_call(unsigned most, void tell(void *context, const char *name, uint64_t count),
		      void *context)
{
	uint64_t calls[COUNTED_CALLS + 1], count;
	long number;

	if (resident_pager.calls == NULL)
		return;
	memcpy(calls, resident_pager.calls, sizeof(calls));
	while (most-- > 0 && (number = take_most_frequent(calls, &count)) >= 0)
		tell(context, number < COUNTED_CALLS ? system_call_word(number) : "others", count);
}

static void print_call(void *context, const char *name, uint64_t count)
{
	(void)context;
	fprintf(stderr, "    %-24s%10lu\n", name, count);
}

static void print_json_call(void *context, const char *name, uint64_t count)
{
	json_number(context, name, (int64_t)count);
}

static void print_placement(const struct guest *guest, const struct statistics *statistics)
{
	const struct placement *placement = guest->placement;
	const struct exact_search *exact = &placement->exact;
	char text[64];

	fprintf(stderr, "  pages placed              %10lu  by %s; %lu are on other frames\n",
		placement->placed, placement_text(placement, text, sizeof(text)),
		statistics->unplaced_pages);
	if (exact->wanted > 0)
		fprintf(
		    stderr,
		    "  frames of an earlier run  %10lu  of %lu, %lu %%\n"
		    "  when they were sought     %10lu  met; %lu in use, %lu free but not met\n",
		    placement->exact_placed, exact->wanted,
		    100 * placement->exact_placed / exact->wanted, exact->met, exact->in_use,
		    exact->not_met);
}

/* The engine of anonymous memory; NULL where no page was hidden. */
static const char *engine_name(void)
{
	return resident_pager.count > 0 ? resident_pager.engines[0].name : NULL;
}

/* --record brings in the touched page alone, whatever the policy would say. */
static const char *policy_name(const struct guest *guest)
{
	if (guest->options.policy == NULL)
		return NULL;
	return guest->options.record != NULL ? "none" : guest->options.policy->name;
}

void statistics_print_text(const struct guest *guest, const struct statistics *statistics)
{
	const struct pager_statistics *paged = &resident_pager.statistics;
	const char *policy = policy_name(guest), *engine = engine_name();
	const char *retired = retire_reason_words(resident_pager.retired);
	char name[4096], text[256];
	const char *nothing_hidden = nothing_hidden_words(guest, text, sizeof(text));

	fprintf(stderr,
		"%s: %s: statistics\n"
		"  faults served             %10lu  (policy %s, engine %s)\n"
		"  pages in memory at exit   %10lu  of the program's %lu\n"
		"  pages revealed ahead      %10lu  %lu used; others are in memory only if filled\n"
		"  time in the handler       %10.3f  ms\n"
		"  system calls intercepted  %10lu  for %lu pages\n"
		"  peak RSS                  %10ld  KiB, the loader included\n"
		"  2 MiB pages for .bss      %10s\n",
		guest->strategy->name, printable_line(guest->name, name, sizeof(name)),
		paged->faults, policy != NULL ? policy : "-", engine != NULL ? engine : "-",
		statistics->resident_pages, statistics->program_pages, paged->ahead_pages,
		statistics->ahead_used, (double)paged->handler_ns / 1e6, paged->calls,
		paged->call_pages, statistics->peak_rss_kb, guest_huge_pages_word(guest));
	if (nothing_hidden != NULL)
		fprintf(stderr, "  no page was hidden: %s\n", nothing_hidden);
	each_call(MOST_CALLS, print_call, NULL);
	if (guest->placement != NULL)
		print_placement(guest, statistics);
	if (retired != NULL)
		fprintf(stderr, "  lazy paging ended after   %10lu  system calls: %s\n",
			resident_pager.retired_after, retired);
}

/* Writes members of the same names whether pages were placed or not. */
static void print_json_placement(struct json *json, const struct placement *placement,
				 const struct statistics *statistics)
{
	const struct exact_search none = {.wanted = 0},
				  *exact = placement != NULL ? &placement->exact : &none;
	char text[64];

	json_text(json, "placement",
		  placement != NULL ? placement_text(placement, text, sizeof(text)) : NULL);
	json_number(json, "placed_pages", placement != NULL ? (int64_t)placement->placed : 0);
	json_number(json, "unplaced_pages", (int64_t)statistics->unplaced_pages);
	json_number(json, "exact_pages", (int64_t)exact->wanted);
	json_number(json, "exact_placed", placement != NULL ? (int64_t)placement->exact_placed : 0);
	json_number(json, "exact_met", (int64_t)exact->met);
	json_number(json, "exact_in_use", (int64_t)exact->in_use);
	json_number(json, "exact_not_met", (int64_t)exact->not_met);
}

static void print_json_end(struct json *json, int status)
{
	if (WIFEXITED(status)) {
		json_number(json, "exit_status", WEXITSTATUS(status));
		json_text(json, "signal", NULL);
	} else {
		json_text(json, "exit_status", NULL);
		json_number(json, "signal", WTERMSIG(status));
	}
}

void statistics_print_json(FILE *file, const struct guest *guest,
			   const struct statistics *statistics)
{
	const struct pager *pager = &resident_pager;
	struct json json = {.file = file, .between = ",\n  "},
		    calls = {.file = file, .between = ", "};

	fprintf(file, "{\n  ");
	json_text(&json, "loader", guest->strategy->name);
	json_text(&json, "program", guest->name);
	json_text(&json, "policy", policy_name(guest));
	json_text(&json, "retired", retire_reason_words(pager->retired));
	json_text(&json, "engine", engine_name());
	json_number(&json, "faults", (int64_t)pager->statistics.faults);
	json_number(&json, "program_pages", (int64_t)statistics->program_pages);
	json_number(&json, "resident_pages", (int64_t)statistics->resident_pages);
	json_number(&json, "ahead_pages", (int64_t)pager->statistics.ahead_pages);
	json_number(&json, "ahead_used", (int64_t)statistics->ahead_used);
	json_number(&json, "handler_ns", (int64_t)pager->statistics.handler_ns);
	json_number(&json, "calls", (int64_t)pager->statistics.calls);
	json_number(&json, "call_pages", (int64_t)pager->statistics.call_pages);
	fprintf(file, ",\n  \"calls_by_name\": {");
	each_call(UINT_MAX, print_json_call, &calls);
	fprintf(file, "}");
	json_number(&json, "retired_after", (int64_t)pager->retired_after);
	json_number(&json, "retired_call",
		    pager->retired == RETIRE_CALL ? pager->retired_call : -1);
	print_json_placement(&json, guest->placement, statistics);
	json_number(&json, "peak_rss_kb", statistics->peak_rss_kb);
	json_text(&json, "huge_pages", guest_huge_pages_word(guest));
	print_json_end(&json, statistics->status);
	fprintf(file, "\n}\n");
}
