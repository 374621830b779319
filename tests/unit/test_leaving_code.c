/*
 * How the threads of a process leave lazy paging: the loader's own sources, linked with a kernel
 * and threads of the test's own (leaving/machine.h), in every order in which steps of two threads
 * can follow each other. tests/mutants.list has the repairs without which it finds something.
 * test_leaving.c walks a model of the same code with more threads.
 */
#include "tests/unit/leaving/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

static const struct scenario scenarios[] = {
    {"two that leave, each read a step", true, 2, {[EVENT_END] = 2}},
    {"faults and sent signals",
     false,
     2,
     {[EVENT_TOUCH] = 2, [EVENT_CALL] = 1, [EVENT_END] = 2, [EVENT_SIGNAL] = 1}},
    {"two sent signals", false, 2, {[EVENT_CALL] = 1, [EVENT_END] = 1, [EVENT_SIGNAL] = 2}},
    {"calls that sleep",
     false,
     2,
     {[EVENT_WAIT] = 1, [EVENT_WAKE] = 1, [EVENT_CALL] = 1, [EVENT_END] = 1, [EVENT_SIGNAL] = 1}},
    {"both may sleep",
     false,
     2,
     {[EVENT_WAIT] = 2, [EVENT_WAKE] = 2, [EVENT_CALL] = 1, [EVENT_END] = 1}},
    {"execve", false, 2, {[EVENT_EXEC] = 1, [EVENT_CALL] = 1, [EVENT_END] = 1, [EVENT_SIGNAL] = 1}},
    {"fork",
     false,
     2,
     {[EVENT_FORK] = 1, [EVENT_WAIT] = 1, [EVENT_WAKE] = 1, [EVENT_CALL] = 1, [EVENT_END] = 1}},
    {"a filter for all threads",
     false,
     2,
     {[EVENT_FILTER] = 1, [EVENT_END] = 1, [EVENT_EXIT] = 1, [EVENT_CALL] = 1, [EVENT_TOUCH] = 1}},
    {"two filters", false, 2, {[EVENT_MILD] = 2, [EVENT_TOUCH] = 1}},
    {"deaths without notice",
     false,
     2,
     {[EVENT_DEATH] = 1, [EVENT_WAIT] = 1, [EVENT_CALL] = 1, [EVENT_EXEC] = 1, [EVENT_END] = 1}},
    {"deaths of those who leave", false, 2, {[EVENT_KILL] = 1, [EVENT_END] = 2}},
};

static void test_nothing_is_wrong_with_the_code(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		struct result result = search(&scenarios[i], true);
		print_message("%s: %u states\n", scenarios[i].name, result.states);
		assert_null(result.wrong);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_nothing_is_wrong_with_the_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
