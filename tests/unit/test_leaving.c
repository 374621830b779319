/*
 * How the threads of a process leave lazy paging. The loader's own sources run on a machine with
 * its own kernel and two or three threads (leaving/machine.h), in every order of their steps.
 * tests/mutants.list has the lines of the loader without which the test fails.
 */
#include "tests/unit/leaving/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

/* The number of threads that exist at first, the events, and how often each happens. */
#define SCENARIO(words, count, ...)                                                                \
	{                                                                                          \
		.name = words, .threads = count, .events = { __VA_ARGS__ }                         \
	}

static const struct scenario scenarios[] = {
    {"two threads leave, and each read ends a step", true, 0, 2, {[EVENT_END] = 2}},
    SCENARIO("faults and sent signals",
	     2, [EVENT_TOUCH] = 2, [EVENT_CALL] = 1, [EVENT_END] = 2, [EVENT_SIGNAL] = 1),
    SCENARIO("two sent signals", 2, [EVENT_CALL] = 1, [EVENT_END] = 1, [EVENT_SIGNAL] = 2),
    SCENARIO("calls that sleep", 2, [EVENT_WAIT] = 1, [EVENT_WAKE] = 1, [EVENT_CALL] = 1,
	     [EVENT_END] = 1, [EVENT_SIGNAL] = 1),
    SCENARIO("both may sleep",
	     2, [EVENT_WAIT] = 2, [EVENT_WAKE] = 2, [EVENT_CALL] = 1, [EVENT_END] = 1),
    SCENARIO("births", 1, [EVENT_CLONE] = 1, [EVENT_TOUCH] = 1, [EVENT_EXIT] = 1, [EVENT_END] = 1),
    SCENARIO("births, and blocks that are used again",
	     1, [EVENT_CLONE] = 2, [EVENT_EXIT] = 1, [EVENT_DEATH] = 1),
    SCENARIO("a birth while another thread leaves", 2, [EVENT_CLONE] = 1, [EVENT_END] = 1),
    SCENARIO("exits", 2, [EVENT_TOUCH] = 1, [EVENT_CALL] = 1, [EVENT_EXIT] = 2, [EVENT_END] = 1),
    SCENARIO("execve", 2, [EVENT_EXEC] = 1, [EVENT_CALL] = 1, [EVENT_END] = 1, [EVENT_SIGNAL] = 1),
    SCENARIO(
	"fork",
	2, [EVENT_FORK] = 1, [EVENT_WAIT] = 1, [EVENT_WAKE] = 1, [EVENT_CALL] = 1, [EVENT_END] = 1),
    SCENARIO("a filter for all threads", 2, [EVENT_FILTER] = 1, [EVENT_END] = 1, [EVENT_EXIT] = 1,
	     [EVENT_CALL] = 1, [EVENT_TOUCH] = 1),
    SCENARIO("a filter set by the first thread or by the one that ended lazy paging",
	     2, [EVENT_END] = 1, [EVENT_JOIN] = 1, [EVENT_CALL] = 1, [EVENT_TOUCH] = 1,
	     [EVENT_NATIVE] = 1),
    {"the same without the first thread",
     false,
     1,
     3,
     {[EVENT_END] = 1, [EVENT_CALL] = 1, [EVENT_NATIVE] = 1}},
    SCENARIO("a filter set by a thread that another one waits for",
	     1, [EVENT_JOIN] = 1, [EVENT_CALL] = 1, [EVENT_CLONE] = 1, [EVENT_NATIVE] = 1),
    SCENARIO("two filters", 2, [EVENT_MILD] = 2, [EVENT_TOUCH] = 1),
    SCENARIO("deaths", 2, [EVENT_DEATH] = 1, [EVENT_WAIT] = 1, [EVENT_CALL] = 1, [EVENT_EXEC] = 1,
	     [EVENT_END] = 1),
    SCENARIO("deaths of new threads",
	     1, [EVENT_DEATH] = 1, [EVENT_CLONE] = 1, [EVENT_EXIT] = 1, [EVENT_END] = 1),
    SCENARIO("deaths of threads that leave", 2, [EVENT_KILL] = 1, [EVENT_END] = 2),
    SCENARIO("three threads", 3, [EVENT_TOUCH] = 1, [EVENT_END] = 1),
    SCENARIO("one of three threads killed while it asked the others",
	     3, [EVENT_ASKS] = 1, [EVENT_END] = 1),
};

static void test_nothing_is_wrong(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		struct result result = search(&scenarios[i], true);
		print_message("%s: %u states\n", scenarios[i].name, result.states);
		assert_null(result.wrong);
	}
	if (rules_step_not_made() != NULL)
		fail_msg("no scenario makes this step of states.def: %s", rules_step_not_made());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_nothing_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
