/* Sessions of fake runs: in which order commands run, and what is read out of the samples. */
#include "bench/session/session.h"
#include "tests/unit/unit.h"

#include <math.h>

#define MEMORY_ROUNDS	  2
#define STATISTICS_ROUNDS 1
#define TIME_ROUNDS	  5
#define ROUNDS		  (MEMORY_ROUNDS + STATISTICS_ROUNDS + TIME_ROUNDS)
#define COMMANDS	  6

/* A fake runner's record of its runs. It fails at run number fail_at, counted from 1. */
struct runs {
	size_t count, fail_at;
	char first_words[ROUNDS * COMMANDS][16];
	enum round_kind kinds[ROUNDS * COMMANDS];
};

/* A native run takes 10 ms in every round and a loader 10 ms more for each letter of its name. */
static bool fake_run(void *context, const struct command *command, enum round_kind kind,
		     struct run_sample *sample)
{
	struct runs *runs = context;
	size_t run = runs->count++;
	char *const *argv = command->argv;
	int64_t letters = argv[1] == NULL ? 0 : (int64_t)strlen(argv[0]);

	if (runs->count == runs->fail_at)
		return false;
	snprintf(runs->first_words[run], sizeof(runs->first_words[run]), "%s%s", argv[0],
		 argv[1] == NULL ? "" : argv[1]);
	runs->kinds[run] = kind;
	sample_clear(sample, ABSENT_OTHER_ROUND);
	if (kind == ROUND_memory)
		sample_set(sample, MEASURE_peak_rss_kb, letters == 0 ? 100 : 164);
	if (kind == ROUND_time)
		sample_set(sample, MEASURE_wall_ns, 10000000 * (1 + letters));
	if (kind == ROUND_statistics && letters > 1)
		sample_set(sample, MEASURE_faults_served, letters);
	if (kind == ROUND_statistics && letters == 1)
		sample->absent[MEASURE_faults_served] = ABSENT_NOT_WRITTEN;
	sample->rss_exact = kind == ROUND_memory;
	return true;
}

/* Two programs, in native runs and under two loaders. */
static struct session six_commands(uint64_t seed)
{
	struct session session = {.rounds = {[ROUND_memory] = MEMORY_ROUNDS,
					     [ROUND_statistics] = STATISTICS_ROUNDS,
					     [ROUND_time] = TIME_ROUNDS},
				  .seed = seed};

	session_add(&session, NULL, "p");
	session_add(&session, "ab", "p");
	session_add(&session, "a", "p");
	session_add(&session, "ab", "q");
	session_add(&session, "a", "q");
	assert_int_equal(session.count, COMMANDS);
	return session;
}

TEST(a_program_has_one_native_run)
{
	struct session session = six_commands(1);
	size_t native = session_find(&session, NULL, "q");

	assert_true(native != SESSION_NONE);
	assert_int_equal(session.commands[native].native, native);
	assert_int_equal(session.commands[session_find(&session, "a", "q")].native, native);
	assert_int_equal(session.commands[session_find(&session, "ab", "q")].native, native);
	assert_int_equal(session_add(&session, "a", "q"), session_find(&session, "a", "q"));
	assert_int_equal(session.count, COMMANDS);
	assert_true(session_find(&session, "a", "r") == SESSION_NONE);
	session_free(&session);
}

TEST(options_and_arguments_become_words)
{
	struct session session = {.rounds = {[ROUND_memory] = 1, [ROUND_time] = 1}};
	size_t command = session_add(&session, "./l --policy=none", " ./p  1 ");
	char **argv = session.commands[command].argv;

	assert_string_equal(argv[0], "./l");
	assert_string_equal(argv[1], "--policy=none");
	assert_string_equal(argv[2], "./p");
	assert_string_equal(argv[3], "1");
	assert_null(argv[4]);
	assert_int_equal(session.commands[command].loader_words, 2);
	command = session_add(&session, NULL, "");
	assert_null(session.commands[command].argv[0]);
	session_free(&session);
}

TEST(every_round_runs_every_command_once)
{
	struct session session = six_commands(3);
	struct runs runs = {0};

	assert_null(session_run(&session, fake_run, &runs));
	assert_int_equal(runs.count, ROUNDS * COMMANDS);
	for (size_t run = 0; run < runs.count; run++) {
		size_t round = run / COMMANDS;

		assert_int_equal(runs.kinds[run], session_round_kind(&session, round));
		assert_int_equal(runs.kinds[run] == ROUND_memory, round < MEMORY_ROUNDS);
		assert_int_equal(runs.kinds[run] == ROUND_time, round >= ROUNDS - TIME_ROUNDS);
		for (size_t other = round * COMMANDS; other < run; other++)
			assert_string_not_equal(runs.first_words[run], runs.first_words[other]);
	}
	session_free(&session);
}

TEST(the_seed_decides_the_order)
{
	struct session sessions[] = {six_commands(5), six_commands(5), six_commands(6)};
	struct runs runs[3] = {0};

	for (size_t i = 0; i < 3; i++) {
		assert_null(session_run(&sessions[i], fake_run, &runs[i]));
		session_free(&sessions[i]);
	}
	assert_memory_equal(runs[0].first_words, runs[1].first_words, sizeof(runs[0].first_words));
	assert_memory_not_equal(runs[0].first_words, runs[2].first_words,
				sizeof(runs[0].first_words));
}

TEST(the_order_changes_from_round_to_round)
{
	struct session session = six_commands(5);
	struct runs runs = {0};
	size_t same = 0;

	assert_null(session_run(&session, fake_run, &runs));
	for (size_t round = 1; round < ROUNDS; round++)
		same += memcmp(runs.first_words, runs.first_words[round * COMMANDS],
			       COMMANDS * sizeof(runs.first_words[0])) == 0;
	assert_true(same < ROUNDS - 1);
	session_free(&session);
}

TEST(a_command_that_cannot_run_ends_the_session)
{
	struct session session = six_commands(1);
	struct runs runs = {.fail_at = 4};

	assert_non_null(session_run(&session, fake_run, &runs));
	assert_int_equal(runs.count, 4);
	session_free(&session);
}

static double median(const struct session *session, const char *loader, enum measure measure,
		     enum view view)
{
	return session_interval(session, session_find(session, loader, "p"), measure, view).median;
}

TEST(measures_come_from_the_rounds_made_for_them)
{
	struct session session = six_commands(1);
	struct runs runs = {0};

	assert_null(session_run(&session, fake_run, &runs));
	assert_true(fabs(median(&session, NULL, MEASURE_wall_ns, VIEW_PLAIN) - 10) < 1e-9);
	assert_true(fabs(median(&session, "ab", MEASURE_wall_ns, VIEW_PLAIN) - 30) < 1e-9);
	assert_true(fabs(median(&session, "ab", MEASURE_wall_ns, VIEW_RATIO) - 3) < 1e-9);
	assert_true(fabs(median(&session, "a", MEASURE_wall_ns, VIEW_RATIO) - 2) < 1e-9);
	assert_true(fabs(median(&session, "a", MEASURE_peak_rss_kb, VIEW_DIFFERENCE) - 64) < 1e-9);
	assert_true(fabs(median(&session, "ab", MEASURE_faults_served, VIEW_PLAIN) - 2) < 1e-9);
	assert_true(session_rss_exact(&session));
	session.commands[2].samples[0].rss_exact = 0;
	assert_false(session_rss_exact(&session));
	session_free(&session);
}

TEST(what_is_absent_is_unknown_and_never_zero)
{
	struct session session = six_commands(1);
	struct runs runs = {0};
	size_t native = session_find(&session, NULL, "p");

	assert_null(session_run(&session, fake_run, &runs));
	assert_true(isnan(median(&session, "a", MEASURE_faults_served, VIEW_PLAIN)));
	assert_string_equal(session_absent_reason(&session, MEASURE_faults_served),
			    "the loader wrote no statistics");
	assert_true(isnan(median(&session, "ab", MEASURE_cycles, VIEW_PLAIN)));
	assert_null(session_absent_reason(&session, MEASURE_cycles));
	/* One round without it is enough: the others would be a median of fewer runs. */
	session.commands[native].samples[ROUNDS - 1].absent[MEASURE_wall_ns] = ABSENT_NATIVE;
	assert_true(isnan(median(&session, NULL, MEASURE_wall_ns, VIEW_PLAIN)));
	assert_true(isnan(median(&session, "a", MEASURE_wall_ns, VIEW_RATIO)));
	assert_true(!isnan(median(&session, "a", MEASURE_wall_ns, VIEW_PLAIN)));
	session_free(&session);
}

TEST(another_end_than_native_is_noticed)
{
	struct session session = six_commands(1);
	size_t native = session_find(&session, NULL, "p"),
	       loaded = session_find(&session, "a", "p");
	size_t round = 0;

	assert_int_equal(session_differences(&session, loaded, &round), 0);
	/* Round 2 is for statistics, where the native run is left out. */
	session.commands[loaded].samples[1].exit_code = 126;
	session.commands[loaded].samples[2].exit_code = 3;
	session.commands[loaded].samples[4].signal = 11;
	assert_int_equal(session_differences(&session, loaded, &round), 2);
	assert_int_equal(round, 1);
	session.commands[native].samples[1].exit_code = 126;
	assert_int_equal(session_differences(&session, loaded, &round), 1);
	assert_int_equal(round, 4);
	assert_int_equal(session_differences(&session, native, &round), 0);
	session_free(&session);
}

TEST(ends_have_names)
{
	struct run_sample sample = {.exit_code = 3};
	char text[SESSION_END_LENGTH];

	session_describe_end(&sample, text);
	assert_string_equal(text, "exit 3");
	sample.signal = 11;
	session_describe_end(&sample, text);
	assert_string_equal(text, "SIGSEGV");
	sample.signal = 63;
	session_describe_end(&sample, text);
	assert_string_equal(text, "signal 63");
	sample.timed_out = 1;
	session_describe_end(&sample, text);
	assert_string_equal(text, "timed out");
}

TEST(labels_are_short)
{
	assert_string_equal(session_label("build/x/prog1"), "prog1");
	assert_string_equal(session_label("prog1"), "prog1");
	assert_string_equal(session_label("./l --map=/a/b"), "l --map=/a/b");
}
