/* What the bench prints of fake samples: the table, the targets, the JSON. */
#include "bench/export_json.h"
#include "bench/table.h"
#include "bench/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char loader_name[] = "./some_loader";
static char *loaders[] = {loader_name};

/* One program, 2.5 ms and 100 KB natively, 3 ms and 700 KB under the loader. */
static struct session two_commands(void)
{
	struct session session = {.memory_rounds = 1, .time_rounds = 1, .seed = 9};
	struct run_sample *native, *loaded;

	session_add(&session, loader_name, "./prog");
	native = session.commands[session_find(&session, NULL, "./prog")].samples;
	loaded = session.commands[session_find(&session, loader_name, "./prog")].samples;
	native[0].counted[MEASURE_peak_rss_kb] = 100;
	native[1].counted[MEASURE_wall_ns] = 2500000;
	loaded[0].counted[MEASURE_peak_rss_kb] = 700;
	loaded[1].counted[MEASURE_wall_ns] = 3000000;
	return session;
}

static char *printed_table(const struct session *session)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	table_print(out, session, loaders, 1);
	table_print_differences(out, session);
	fclose(out);
	return text;
}

static void the_table_has_a_column_for_each_way_to_run(void **state)
{
	struct session session = two_commands();
	char *text = printed_table(&session);

	(void)state;
	assert_string_equal(text, "                        native  some_loader\n"
				  "prog  wall time, ms       2.50         3.00\n"
				  "      x native            1.00         1.20\n"
				  "      peak RSS, KB         100          700\n"
				  "      minor faults           0            0\n"
				  "      ended             exit 0       exit 0\n");
	free(text);
	session_free(&session);
}

static void a_run_that_ended_otherwise_shows_how_and_no_numbers(void **state)
{
	struct session session = two_commands();
	char *text;

	(void)state;
	session.commands[1].samples[1].exit_code = 126;
	text = printed_table(&session);
	assert_non_null(strstr(text, "      x native            1.00            -\n"));
	assert_non_null(strstr(text, "      ended             exit 0   ! exit 126\n"));
	assert_non_null(strstr(text, "! exit 126, native: exit 0, in 1 of 2 runs of: "
				     "./some_loader ./prog\n"));
	free(text);
	session_free(&session);
}

static void assert_target_wrong(const char *text)
{
	struct target target;
	char *copy = strdup(text);

	assert_non_null(target_parse(copy, &target));
	free(copy);
}

static void targets_are_read(void **state)
{
	struct target target;
	char wall[] = "wall:1.6:./a --b:build/empty";
	char rss[] = "rss:512:./a:./p";

	(void)state;
	assert_null(target_parse(wall, &target));
	assert_int_equal(target.measure, MEASURE_wall_ns);
	assert_int_equal(target.view, VIEW_RATIO);
	assert_true(target.limit > 1.59 && target.limit < 1.61);
	assert_string_equal(target.loader, "./a --b");
	assert_string_equal(target.program, "build/empty");
	assert_null(target_parse(rss, &target));
	assert_int_equal(target.measure, MEASURE_peak_rss_kb);
	assert_int_equal(target.view, VIEW_DIFFERENCE);
	assert_target_wrong("");
	assert_target_wrong("wall:1.6:./a");
	assert_target_wrong("time:1.6:./a:./p");
	assert_target_wrong("wall:x:./a:./p");
	assert_target_wrong("wall:1.6x:./a:./p");
	assert_target_wrong("wall:1.6::./p");
	assert_target_wrong("wall:1.6:./a:");
}

static void a_target_is_met_or_missed_by_so_much(void **state)
{
	struct target ratio = {.view = VIEW_RATIO, .limit = 1.5};
	struct target memory = {.view = VIEW_DIFFERENCE, .limit = 512};
	char text[TARGET_VERDICT_LENGTH];

	(void)state;
	target_verdict(&ratio, 1.5, text);
	assert_string_equal(text, "met");
	target_verdict(&ratio, 1.75, text);
	assert_string_equal(text, "missed by 0.250x");
	target_verdict(&memory, -8, text);
	assert_string_equal(text, "met");
	target_verdict(&memory, 600, text);
	assert_string_equal(text, "missed by 88 KB");
}

static void json_keeps_samples_and_says_null_for_unknown(void **state)
{
	struct session session = two_commands();
	struct environment environment = {.cpu = "a \"b\"\\\t", .cpus = 4, .memory_kb = -1};
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	assert_non_null(out);
	export_json(out, &session, &environment);
	fclose(out);
	assert_non_null(strstr(text, "\"cpu\": \"a \\\"b\\\"\\\\\\u0009\",\n"));
	assert_non_null(strstr(text, "\"memory_kb\": null,\n"));
	assert_non_null(strstr(text, "\"kernel\": null,\n"));
	assert_non_null(strstr(text, "\"loader\": null,\n"));
	assert_non_null(strstr(text, "{\"for\": \"memory\", \"peak_rss_kb\": 700, \"ended\": "));
	assert_non_null(strstr(text, "{\"for\": \"time\", \"wall_ns\": 3000000, \"user_us\": 0, "));
	free(text);
	session_free(&session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_table_has_a_column_for_each_way_to_run),
	    cmocka_unit_test(a_run_that_ended_otherwise_shows_how_and_no_numbers),
	    cmocka_unit_test(targets_are_read),
	    cmocka_unit_test(a_target_is_met_or_missed_by_so_much),
	    cmocka_unit_test(json_keeps_samples_and_says_null_for_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
