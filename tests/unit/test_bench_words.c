/* Words and clocks of the bench: braces, progress, warnings, reasons. */
#include "bench/shared/counters.h"
#include "bench/shared/expand.h"
#include "bench/run/progress.h"
#include "bench/report/warnings.h"
#include "tests/unit/unit.h"

#include <errno.h>

static void assert_expands(const char *text, const char *expected)
{
	size_t count;
	char **words = expand_braces(text, &count);
	char joined[256] = "";

	assert_non_null(words);
	for (size_t i = 0; i < count; i++) {
		snprintf(joined + strlen(joined), sizeof(joined) - strlen(joined), "%s%s",
			 i > 0 ? "|" : "", words[i]);
		free(words[i]);
	}
	free(words);
	assert_string_equal(joined, expected);
}

TEST(braces_expand_as_in_a_shell)
{
	assert_expands("", "");
	assert_expands("plain", "plain");
	assert_expands("a{b,c}d", "abd|acd");
	assert_expands("{a,b} {1,2}", "a 1|a 2|b 1|b 2");
	assert_expands("a{,b}", "a|ab");
	assert_expands("{a}", "{a}");
	assert_expands("{a} {b,c}", "{a} b|{a} c");
	assert_expands("{a,b", "{a,b");
	assert_expands("a}b{c,d}", "a}bc|a}bd");
}

TEST(progress_tells_the_time_left)
{
	char text[PROGRESS_LENGTH];

	progress_text(0, 60, 0, text);
	assert_string_equal(text, "[..............................] 0 of 60 runs");
	/* 20 runs in 65 s: 40 more take 130 s. */
	progress_text(20, 60, 65000000000u, text);
	assert_string_equal(text, "[##########....................] 20 of 60 runs, 2:10 left");
	progress_text(60, 60, 1, text);
	assert_string_equal(text, "[##############################] 60 of 60 runs, 0:00 left");
	progress_text(SIZE_MAX / BUFSIZ, SIZE_MAX / BUFSIZ, UINT64_MAX, text);
	assert_true(strlen(text) < PROGRESS_LENGTH);
}

#define ROUNDS 20

/* Twenty rounds of a program and one loader, which takes twice as long and some share more. */
static struct session session_with_noise(double share)
{
	struct session session = {.rounds = {[ROUND_time] = ROUNDS}};

	session_add(&session, "./a", "./p");
	for (size_t i = 0; i < session.count; i++)
		for (size_t round = 0; round < ROUNDS; round++) {
			struct run_sample *sample = &session.commands[i].samples[round];
			double loaded = 2000 * (1 + share * (double)round / ROUNDS);

			sample_clear(sample, ABSENT_OTHER_ROUND);
			sample_set(sample, MEASURE_wall_ns,
				   session.commands[i].native == i ? 1000 : (int64_t)loaded);
		}
	return session;
}

static size_t warn(const struct session *session, const struct environment *before,
		   const struct environment *after, char texts[WARNINGS_MAX][WARNINGS_LENGTH])
{
	memset(texts, 0, WARNINGS_MAX * WARNINGS_LENGTH);
	return warnings_find(session, before, after, texts);
}

TEST(a_quiet_machine_needs_no_warning)
{
	struct session session = session_with_noise(0.01);
	struct environment quiet = {.cpus = 2, .load = 0.2, .megahertz = -1};
	char texts[WARNINGS_MAX][WARNINGS_LENGTH];

	assert_int_equal(warn(&session, &quiet, &quiet, texts), 0);
	session_free(&session);
}

TEST(each_doubt_has_its_warning)
{
	struct session session = session_with_noise(1);
	struct environment before = {
	    .cpus = 2, .load = 1.5, .megahertz = 3000, .governor = "powersave"};
	struct environment after = {.cpus = 2, .megahertz = 2000};
	char texts[WARNINGS_MAX][WARNINGS_LENGTH];

	assert_int_equal(warn(&session, &before, &after, texts), 4);
	assert_non_null(
	    strstr(texts[0], "load 1.5 before the first run, 0.0 after the last; 2 CPUs"));
	assert_non_null(strstr(texts[1], "governor is powersave. Set it to performance"));
	assert_non_null(strstr(texts[2], "3000 MHz before and at 2000 MHz after"));
	assert_non_null(strstr(texts[3], "interval of a p is"));
	before.load = 0.4;
	after.load = 0.6;
	assert_int_equal(warn(&session, &before, &after, texts), 4);
	assert_non_null(strstr(texts[0], "0.6 after the last"));
	session.rounds[ROUND_time] = 3;
	before = (struct environment){.cpus = 2, .governor = "performance"};
	assert_int_equal(warn(&session, &before, &before, texts), 1);
	assert_non_null(strstr(texts[0], "Try --rounds=20."));
	session.rounds[ROUND_time] = ROUNDS - 1;
	session.rounds[ROUND_memory] = 1;
	session.commands[0].samples[4].user_only = 1;
	assert_int_equal(warn(&session, &before, &before, texts), 3);
	assert_non_null(strstr(texts[1], "ptrace_scope"));
	assert_non_null(strstr(texts[2], "perf_event_paranoid"));
	session.commands[0].samples[0].user_only = 0;
	session.commands[0].samples[ROUNDS - 1].exit_code = 2;
	warn(&session, &before, &before, texts);
	assert_string_equal(texts[0],
			    "p ends with status 2. Run it by itself to see what it says.");
	session_free(&session);
}

TEST(reasons_name_a_remedy_or_what_lacks)
{
	assert_non_null(strstr(counter_reason(EACCES), "perf_event_paranoid"));
	assert_non_null(strstr(counter_reason(ENOENT), "has none"));
	assert_non_null(strstr(counter_reason(COUNTER_NOT_SCHEDULED), "too few counters"));
	assert_null(sample_absent_reason(ABSENT_NATIVE));
	assert_non_null(sample_absent_reason(ABSENT_NOT_WRITTEN));
}
