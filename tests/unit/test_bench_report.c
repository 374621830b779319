/* Output of the bench for fake samples: table, CSV, JSON, comparison, targets. */
#include "bench/report/against.h"
#include "bench/report/export_json.h"
#include "bench/report/table.h"
#include "bench/driver/target.h"
#include "tests/unit/unit.h"

enum { MEMORY, COUNTERS, TIME, ROUNDS };

/* One program: 2.5 ms and 100 KB in a native run, 3 ms and 700 KB under the loader; no cycles. */
static struct session session;

static void two_commands(void)
{
	session_free(&session);
	session = (struct session){
	    .rounds = {[ROUND_memory] = 1, [ROUND_counters] = 1, [ROUND_time] = 1}, .seed = 9};
	session_add(&session, "./some_loader", "./prog");
	for (size_t i = 0; i < session.count; i++) {
		struct run_sample *samples = session.commands[i].samples;
		bool native = session.commands[i].native == i;

		for (size_t round = 0; round < ROUNDS; round++)
			sample_clear(&samples[round], ABSENT_OTHER_ROUND);
		sample_set(&samples[MEMORY], MEASURE_peak_rss_kb, native ? 100 : 700);
		samples[MEMORY].rss_exact = 1;
		sample_set(&samples[COUNTERS], MEASURE_page_faults, 25);
		samples[COUNTERS].absent[MEASURE_cycles] = 2; /* ENOENT */
		sample_set(&samples[TIME], MEASURE_wall_ns, native ? 2500000 : 3000000);
		sample_set(&samples[TIME], MEASURE_minor_faults, 0);
	}
}

static char *text;
static size_t length;

static FILE *begin_text(void)
{
	FILE *out;

	free(text);
	out = open_memstream(&text, &length);
	assert_non_null(out);
	return out;
}

static void print_table(enum table_style style)
{
	FILE *out = begin_text();

	table_print(out, &session, style);
	table_print_differences(out, &session);
	table_print_absent(out, &session);
	fclose(out);
}

static void assert_has(const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("'%s' is not in:\n%s", part, text);
}

TEST(the_table_has_a_row_for_each_way_to_run)
{
	two_commands();
	print_table(TABLE_TEXT);
	assert_string_equal(
	    text, "               wall, ms   x native (95 %)  user, ms  system, ms  peak RSS, KB  "
		  "minor faults  major  served  ahead\n"
		  "prog\n"
		  "  native           2.50                           -           -           100  "
		  "           0      -       -      -\n"
		  "  some_loader      3.00  1.20 (1.20-1.20)         -           -           700  "
		  "           0      -       -      -\n"
		  "- the processor or the virtual machine has none: cycles\n");
}

TEST(markdown_has_the_same_cells)
{
	two_commands();
	print_table(TABLE_MARKDOWN);
	assert_has("| program | run by | wall, ms | x native (95 %) |");
	assert_has("\n|---|---|---:|---:|");
	assert_has("\n| prog | native | 2.50 |  | - |");
	assert_has("\n| prog | some_loader | 3.00 | 1.20 (1.20-1.20) | - |");
}

TEST(the_matrix_has_a_line_for_each_program)
{
	FILE *out = begin_text();

	two_commands();
	matrix_print(out, &session, 6);
	session.commands[1].samples[TIME].signal = 11;
	matrix_print(out, &session, 2);
	fclose(out);
	assert_has("prog          2.50        1.20           100         700\n");
	assert_has("pr        2.50           -           100           -\n");
	assert_has("     native        some        native        some\n");
}

TEST(a_run_that_ended_otherwise_shows_how_and_no_numbers)
{
	two_commands();
	session.commands[1].samples[TIME].exit_code = 126;
	print_table(TABLE_MARKDOWN);
	assert_has("| prog | some_loader | ! exit 126 | - | - |");
	assert_has("! exit 126, native: exit 0, in 1 of 3 runs of: ./some_loader ./prog\n");
}

TEST(csv_has_a_line_for_each_measure)
{
	FILE *out = begin_text();

	two_commands();
	session.commands[0].program = session.commands[1].program = "a \"b\", c";
	export_csv(out, &session);
	fclose(out);
	assert_has("program,run by,measure,median,low,high,absent because\r\n");
	assert_has("\"a \"\"b\"\", c\",native,wall_ns,2500000,2500000,2500000,\r\n");
	assert_has(",./some_loader,peak_rss_kb,700,700,700,\r\n");
	assert_has(",./some_loader,wall_ratio,1.2,1.2,1.2,\r\n");
	assert_has(",native,cycles,,,,the processor or the virtual machine has none\r\n");
}

TEST(json_keeps_samples_and_says_null_for_unknown)
{
	struct environment environment = {.cpu = "a \"b\"\\\t", .cpus = 4, .memory_kb = -1};
	json_t *results;

	two_commands();
	results = export_json(&session, &environment);
	assert_non_null(results);
	free(text);
	text = json_dumps(results, JSON_COMPACT);
	assert_has("\"cpu\":\"a \\\"b\\\"\\\\\\t\",");
	assert_has("\"memory_kb\":null,");
	assert_has("\"kernel\":null,");
	assert_has("\"loader\":null,");
	assert_has("\"absent\":{\"cycles\":\"the processor or the virtual machine has none\"}");
	assert_has("{\"for\":\"memory\",\"peak_rss_kb\":700,\"ended\":\"exit 0\"}");
	assert_has("{\"for\":\"counters\",\"page_faults\":25,\"cycles\":null,");
	assert_has("{\"for\":\"time\",\"wall_ns\":3000000,\"user_us\":null,");
	assert_has("\"rounds\":{\"memory\":1,\"counters\":1,\"statistics\":0,\"time\":1}");
	json_decref(results);
}

/* The interval of the loader's ratio; its peak RSS is always the same. */
static json_t *results_with_ratio(double low, double median, double high, const char *loader)
{
	json_t *results = json_pack(
	    "{s:[{s:n, s:n, s:{}}, {s:s, s:s, s:{s:{s:f, s:f, s:f}, s:{s:i, s:i, s:i}}}]}",
	    "commands", "program", "loader", "summary", "program", "./prog", "loader", loader,
	    "summary", "wall_ratio", "low", low, "median", median, "high", high, "peak_rss_kb",
	    "low", 90, "median", 100, "high", 110);

	assert_non_null(results);
	return results;
}

static int compared(json_t *before, json_t *now)
{
	FILE *out = begin_text();
	int changed = against_print(out, before, now);

	fclose(out);
	json_decref(before);
	json_decref(now);
	return changed;
}

TEST(only_intervals_apart_are_a_change)
{
	assert_int_equal(compared(results_with_ratio(1.0, 1.1, 1.2, "./a"),
				  results_with_ratio(1.2, 1.3, 1.4, "./a")),
			 0);
	assert_string_equal(text, "0 changed beyond the noise, 2 did not\n");
	assert_int_equal(compared(results_with_ratio(1.0, 1.0, 1.2, "./a"),
				  results_with_ratio(1.3, 1.5, 1.6, "./a")),
			 1);
	assert_string_equal(text, "prog, a: x native 1.500, was 1.000 (+50.0 %)\n"
				  "1 changed beyond the noise, 1 did not\n");
	assert_int_equal(compared(results_with_ratio(1.3, 1.5, 1.6, "./a"),
				  results_with_ratio(0.5, 0.75, 1.2, "./a")),
			 1);
	assert_has("x native 0.750, was 1.500 (-50.0 %)\n");
}

TEST(commands_on_one_side_are_counted)
{
	assert_int_equal(
	    compared(results_with_ratio(1, 1, 1, "./old"), results_with_ratio(1, 1, 1, "./new")),
	    0);
	assert_string_equal(text, "0 changed beyond the noise, 0 did not; 2 commands are in one of "
				  "the two only\n");
	assert_int_equal(compared(json_object(), json_object()), -1);
}

static void assert_target_wrong(const char *wrong)
{
	struct target target;
	char *copy = strdup(wrong);

	assert_non_null(target_parse(copy, &target));
	free(copy);
}

static void assert_target_is(const char *words, enum measure measure, const char *baseline,
			     bool is_mean)
{
	struct target target;
	char copy[64];

	snprintf(copy, sizeof(copy), "%s", words);
	assert_null(target_parse(copy, &target));
	assert_int_equal(target.measure, measure);
	assert_int_equal(target.view, VIEW_RATIO);
	assert_int_equal(target.is_mean, is_mean);
	if (baseline == NULL)
		assert_null(target.baseline);
	else
		assert_string_equal(target.baseline, baseline);
}

TEST(targets_are_read)
{
	struct target target;
	char wall[] = "wall:1.6:./a --b:build/empty";
	char rss[] = "rss:512:./a:./p";

	assert_null(target_parse(wall, &target));
	assert_int_equal(target.measure, MEASURE_wall_ns);
	assert_int_equal(target.view, VIEW_RATIO);
	assert_true(target.limit > 1.59 && target.limit < 1.61);
	assert_string_equal(target.loader, "./a --b");
	assert_string_equal(target.program, "build/empty");
	assert_null(target_parse(rss, &target));
	assert_int_equal(target.measure, MEASURE_peak_rss_kb);
	assert_int_equal(target.view, VIEW_DIFFERENCE);
	assert_target_is("cpu:2:./a:./p", MEASURE_cpu_us, NULL, false);
	assert_target_is("wall/./e:2:./a:./p", MEASURE_wall_ns, "./e", false);
	assert_target_is("mean-wall:1:./a:all of them", MEASURE_wall_ns, NULL, true);
	assert_target_wrong("mean-rss:1:./a:all of them");
	assert_target_wrong("");
	assert_target_wrong("wall:1.6:./a");
	assert_target_wrong("time:1.6:./a:./p");
	assert_target_wrong("wall:x:./a:./p");
	assert_target_wrong("wall:1.6x:./a:./p");
	assert_target_wrong("wall:1.6::./p");
	assert_target_wrong("wall:1.6:./a:");
}

TEST(a_target_is_met_or_missed_by_so_much)
{
	struct target ratio = {.view = VIEW_RATIO, .limit = 1.5};
	struct target memory = {.view = VIEW_DIFFERENCE, .limit = 512};
	char verdict[TARGET_VERDICT_LENGTH];

	target_verdict(&ratio, 1.5, verdict);
	assert_string_equal(verdict, "met");
	target_verdict(&ratio, 1.75, verdict);
	assert_string_equal(verdict, "missed by 0.250x");
	target_verdict(&memory, -8, verdict);
	assert_string_equal(verdict, "met");
	target_verdict(&memory, 600, verdict);
	assert_string_equal(verdict, "missed by 88 KB");
}

/* 1.2 times native; against itself 1; and what is between the two. */
TEST(targets_know_other_baselines_and_means)
{
	char texts[][48] = {"wall:1:./some_loader:./prog",
			    "wall/./some_loader:1:./some_loader:./prog",
			    "mean-wall:1.1:./some_loader:both"};
	struct target targets[3];
	FILE *out = begin_text();

	two_commands();
	for (size_t i = 0; i < 3; i++) {
		assert_null(target_parse(texts[i], &targets[i]));
		assert_true(target_add(&targets[i], &session));
	}
	target_print(out, &session, targets, 3);
	fclose(out);
	assert_has("prog under some_loader, wall time ");
	assert_has("1.200x (1.200 to 1.200)     1.00x  missed by 0.200x");
	assert_has("prog under some_loader, wall time / some_loader");
	assert_has("1.000x (1.000 to 1.000)     1.00x  met");
	assert_has("both under some_loader, wall time ");
	assert_has("1.095x (1.095 to 1.095)     1.10x  met");
}
