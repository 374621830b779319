/*
 * How the threads of a process leave lazy paging: the loader's own sources, linked with a kernel
 * and threads of the test's own (leaving/machine.h), in every order in which steps of two or three
 * threads can follow each other. Nothing is wrong with them. tests/mutants.list has the repairs
 * without which something is.
 */
#include "tests/unit/leaving/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

static const struct scenario scenarios[] = {
    {"two that leave, each read a step", true, 0, 2, {[EVENT_END] = 2}},
    {"faults and sent signals",
     false,
     0,
     2,
     {[EVENT_TOUCH] = 2, [EVENT_CALL] = 1, [EVENT_END] = 2, [EVENT_SIGNAL] = 1}},
    {"two sent signals", false, 0, 2, {[EVENT_CALL] = 1, [EVENT_END] = 1, [EVENT_SIGNAL] = 2}},
    {"calls that sleep",
     false,
     0,
     2,
     {[EVENT_WAIT] = 1, [EVENT_WAKE] = 1, [EVENT_CALL] = 1, [EVENT_END] = 1, [EVENT_SIGNAL] = 1}},
    {"both may sleep",
     false,
     0,
     2,
     {[EVENT_WAIT] = 2, [EVENT_WAKE] = 2, [EVENT_CALL] = 1, [EVENT_END] = 1}},
    {"births",
     false,
     0,
     1,
     {[EVENT_CLONE] = 1, [EVENT_TOUCH] = 1, [EVENT_EXIT] = 1, [EVENT_END] = 1}},
    {"births, and blocks that are used again",
     false,
     0,
     1,
     {[EVENT_CLONE] = 2, [EVENT_EXIT] = 1, [EVENT_DEATH] = 1}},
    {"a birth beside a thread that leaves", false, 0, 2, {[EVENT_CLONE] = 1, [EVENT_END] = 1}},
    {"exits",
     false,
     0,
     2,
     {[EVENT_TOUCH] = 1, [EVENT_CALL] = 1, [EVENT_EXIT] = 2, [EVENT_END] = 1}},
    {"execve",
     false,
     0,
     2,
     {[EVENT_EXEC] = 1, [EVENT_CALL] = 1, [EVENT_END] = 1, [EVENT_SIGNAL] = 1}},
    {"fork",
     false,
     0,
     2,
     {[EVENT_FORK] = 1, [EVENT_WAIT] = 1, [EVENT_WAKE] = 1, [EVENT_CALL] = 1, [EVENT_END] = 1}},
    {"a filter for all threads",
     false,
     0,
     2,
     {[EVENT_FILTER] = 1, [EVENT_END] = 1, [EVENT_EXIT] = 1, [EVENT_CALL] = 1, [EVENT_TOUCH] = 1}},
    {"a filter set by the first thread or by the one that ended lazy paging",
     false,
     0,
     2,
     {[EVENT_END] = 1, [EVENT_JOIN] = 1, [EVENT_CALL] = 1, [EVENT_TOUCH] = 1, [EVENT_NATIVE] = 1}},
    {"the same without the first thread",
     false,
     1,
     3,
     {[EVENT_END] = 1, [EVENT_CALL] = 1, [EVENT_NATIVE] = 1}},
    {"a filter set by a thread that another one waits for",
     false,
     0,
     1,
     {[EVENT_JOIN] = 1, [EVENT_CALL] = 1, [EVENT_CLONE] = 1, [EVENT_NATIVE] = 1}},
    {"two filters", false, 0, 2, {[EVENT_MILD] = 2, [EVENT_TOUCH] = 1}},
    {"deaths without notice",
     false,
     0,
     2,
     {[EVENT_DEATH] = 1, [EVENT_WAIT] = 1, [EVENT_CALL] = 1, [EVENT_EXEC] = 1, [EVENT_END] = 1}},
    {"deaths of the newborn",
     false,
     0,
     1,
     {[EVENT_DEATH] = 1, [EVENT_CLONE] = 1, [EVENT_EXIT] = 1, [EVENT_END] = 1}},
    {"deaths of those who leave", false, 0, 2, {[EVENT_KILL] = 1, [EVENT_END] = 2}},
    {"three threads", false, 0, 3, {[EVENT_TOUCH] = 1, [EVENT_END] = 1}},
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
