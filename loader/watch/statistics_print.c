#include "loader/watch/statistics_print.h"

#include "common/printable.h"
#include "loader/cli/policies.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/pager/regions.h"
#include "loader/watch/json.h"
#include "loader/watch/nothing_hidden.h"
#include "loader/watch/trace_words.h"

#include <limits.h>
#include <string.h>
#include <sys/wait.h>

/* The text names at most this many calls. */
#define MOST_CALLS 5

/* The strategy of all pages without a hint. */
static const char *placement_text(const struct placement *placement, char *text, size_t bytes)
{
	return strategy_text(&placement->rules[placement->count - 1].strategy, text, bytes);
}

/* The call that was made most often; the first one of several. */
static long most_frequent(const uint64_t *calls)
{
	long most = 0;

	for (long number = 1; number <= COUNTED_CALLS; number++)
		if (calls[number] > calls[most])
			most = number;
	return most;
}

/* Passes on each call's name and count, the most frequent first, at most `most` of them. */
static void each_call(unsigned most, void tell(void *context, const char *name, uint64_t count),
		      void *context)
{
	uint64_t calls[COUNTED_CALLS + 1];

	if (resident_pager.calls == NULL)
		return;
	memcpy(calls, resident_pager.calls, sizeof(calls));
	while (most-- > 0) {
		long number = most_frequent(calls);

		if (calls[number] == 0)
			return;
		tell(context, number < COUNTED_CALLS ? system_call_word(number) : "others",
		     calls[number]);
		calls[number] = 0;
	}
}

static void print_call(void *context, const char *name, uint64_t count)
{
	(void)context;
	fprintf(stderr, "    %-24s%10lu\n", name, count);
}

static void print_json_call(void *context, const char *name, uint64_t count)
{
	struct json *calls = context;

	json_name(calls, name, strlen(name));
	fprintf(calls->file, "%lu", count);
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

/* The engine for anonymous memory; NULL if no page was hidden. */
static const char *engine_name(void)
{
	return resident_pager.count > 0 ? resident_pager.engines[0].name : NULL;
}

/* Whether system calls were intercepted when the program started. */
static bool was_intercepted(const struct guest *guest)
{
	const struct guard *guard = &resident_guard;

	return guard->active && (guard->pages_hidden || guard->names_executable || guard->reports ||
				 guest->options.order != NULL);
}

/* How, in a word; NULL if they were not. */
static const char *interception_name(const struct guest *guest)
{
	if (!was_intercepted(guest))
		return NULL;
	return guest->rewrites ? "rewriting" : "dispatch";
}

static const char *interception_words(const struct guest *guest)
{
	if (was_intercepted(guest))
		return guest->rewrites ? "by rewritten instructions" : "by Syscall User Dispatch";
	return guest->options.guard == CHOOSE_NONE ? "not intercepted: --guard=none"
						   : "not intercepted";
}

/* --record brings in only the touched page, whatever the policy. */
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
	const char *retired = retire_words(resident_pager.retired, resident_pager.retired_call);
	char name[4096], text[256];
	const char *nothing_hidden = nothing_hidden_words(guest, text, sizeof(text));

	fprintf(stderr,
		"%s: %s: statistics\n"
		"  faults served             %10lu  (policy %s, engine %s)\n"
		"  pages in memory at exit   %10lu  of the program's %lu\n"
		"  pages revealed ahead      %10lu  %lu used; others are in memory only if filled\n"
		"  time in the handler       %10.3f  ms\n"
		"  system calls intercepted  %10lu  for %lu pages (%s)\n"
		"  peak RSS                  %10ld  KiB, the loader included\n"
		"  2 MiB pages for .bss      %10s\n",
		guest->strategy->name, printable_line(guest->name, name, sizeof(name)),
		paged->faults, policy != NULL ? policy : "-", engine != NULL ? engine : "-",
		statistics->resident_pages, statistics->program_pages, paged->ahead_pages,
		statistics->ahead_used, (double)paged->handler_ns / 1e6, paged->calls,
		paged->call_pages, interception_words(guest), statistics->peak_rss_kb,
		guest_huge_pages_word(guest));
	if (nothing_hidden != NULL)
		fprintf(stderr, "  no page was hidden: %s\n", nothing_hidden);
	each_call(MOST_CALLS, print_call, NULL);
	if (guest->placement != NULL)
		print_placement(guest, statistics);
	if (retired != NULL)
		fprintf(stderr, "  lazy paging ended after   %10lu  system calls: %s\n",
			resident_pager.retired_after, retired);
}

/* Writes members of the same names whether or not pages were placed. */
static void add_placement(struct json *json, const struct placement *placement,
			  const struct statistics *statistics)
{
	static const struct placement nothing;
	const struct placement *of = placement != NULL ? placement : &nothing;
	char text[64];

	json_add(json, "placement %s placed_pages %ld unplaced_pages %ld",
		 placement != NULL ? placement_text(placement, text, sizeof(text)) : NULL,
		 of->placed, statistics->unplaced_pages);
	json_add(json, "exact_pages %ld exact_placed %ld", of->exact.wanted, of->exact_placed);
	json_add(json, "exact_met %ld exact_in_use %ld exact_not_met %ld", of->exact.met,
		 of->exact.in_use, of->exact.not_met);
}

/* A program ends with an exit status or by a signal; the other of the two is null. */
static void add_end(struct json *json, int status)
{
	if (WIFEXITED(status))
		json_add(json, "exit_status %d signal null", WEXITSTATUS(status));
	else
		json_add(json, "exit_status null signal %d", WTERMSIG(status));
}

void statistics_print_json(FILE *file, const struct guest *guest,
			   const struct statistics *statistics)
{
	const struct pager *pager = &resident_pager;
	const struct pager_statistics *paged = &pager->statistics;
	struct json json = {.file = file, .between = ",\n  "};
	struct json calls = {.file = file, .between = ", "};

	fprintf(file, "{\n  ");
	json_add(&json, "loader %s program %s", guest->strategy->name, guest->name);
	json_add(&json, "policy %s retired %s engine %s", policy_name(guest),
		 retire_reason_words(pager->retired), engine_name());
	json_add(&json, "faults %ld program_pages %ld resident_pages %ld", paged->faults,
		 statistics->program_pages, statistics->resident_pages);
	json_add(&json, "ahead_pages %ld ahead_used %ld", paged->ahead_pages,
		 statistics->ahead_used);
	json_add(&json, "handler_ns %ld interception %s calls %ld call_pages %ld",
		 paged->handler_ns, interception_name(guest), paged->calls, paged->call_pages);
	fprintf(file, ",\n  \"calls_by_name\": {");
	each_call(UINT_MAX, print_json_call, &calls);
	fprintf(file, "}");
	json_add(&json, "retired_after %ld retired_call %ld", pager->retired_after,
		 pager->retired == RETIRE_CALL ? (long)pager->retired_call : -1);
	add_placement(&json, guest->placement, statistics);
	json_add(&json, "peak_rss_kb %ld huge_pages %s", statistics->peak_rss_kb,
		 guest_huge_pages_word(guest));
	add_end(&json, statistics->status);
	fprintf(file, "\n}\n");
}
