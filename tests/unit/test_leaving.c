/*
 * How the threads of a process leave lazy paging: every order in which their steps can follow each
 * other, in a model of it (leaving_model.h). It finds nothing wrong; without any one of the repairs
 * that follow it finds something.
 */
#include "tests/unit/leaving_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct model_scenario scenarios[] = {
    {"faults and sent signals",
     2,
     {[EVENT_TOUCH] = 2, [EVENT_CALL] = 1, [EVENT_END] = 2, [EVENT_SIGNAL] = 1}},
    {"two sent signals", 2, {[EVENT_CALL] = 1, [EVENT_END] = 1, [EVENT_SIGNAL] = 2}},
    {"calls that sleep",
     2,
     {[EVENT_WAIT] = 1, [EVENT_WAKE] = 1, [EVENT_CALL] = 1, [EVENT_END] = 1, [EVENT_SIGNAL] = 1}},
    {"both may sleep", 2, {[EVENT_WAIT] = 2, [EVENT_WAKE] = 2, [EVENT_CALL] = 1, [EVENT_END] = 1}},
    {"births and exits",
     2,
     {[EVENT_TOUCH] = 1, [EVENT_CLONE] = 1, [EVENT_EXIT] = 1, [EVENT_END] = 1}},
    {"execve", 2, {[EVENT_EXEC] = 1, [EVENT_CALL] = 1, [EVENT_END] = 1, [EVENT_SIGNAL] = 1}},
    {"fork",
     2,
     {[EVENT_FORK] = 1, [EVENT_WAIT] = 1, [EVENT_WAKE] = 1, [EVENT_CALL] = 1, [EVENT_END] = 1}},
    {"a filter for all threads",
     2,
     {[EVENT_FILTER] = 1, [EVENT_END] = 1, [EVENT_EXIT] = 1, [EVENT_CALL] = 1, [EVENT_TOUCH] = 1}},
    {"a filter set by the first thread or by the one that ended lazy paging",
     2,
     {[EVENT_END] = 1, [EVENT_JOIN] = 1, [EVENT_CALL] = 1, [EVENT_TOUCH] = 1, [EVENT_NATIVE] = 1}},
    {"the same with three threads", 3, {[EVENT_END] = 1, [EVENT_JOIN] = 1, [EVENT_NATIVE] = 1}},
    {"a filter set by a thread that another one waits for",
     2,
     {[EVENT_JOIN] = 1, [EVENT_CALL] = 1, [EVENT_CLONE] = 1, [EVENT_NATIVE] = 1}},
    {"two filters", 2, {[EVENT_MILD] = 2, [EVENT_TOUCH] = 1}},
    {"deaths without notice",
     2,
     {[EVENT_DEATH] = 1, [EVENT_WAIT] = 1, [EVENT_CALL] = 1, [EVENT_EXEC] = 1, [EVENT_END] = 1}},
    {"deaths of the newborn",
     2,
     {[EVENT_DEATH] = 1, [EVENT_CLONE] = 2, [EVENT_EXIT] = 1, [EVENT_END] = 1}},
    {"deaths of those who leave", 3, {[EVENT_KILL] = 1, [EVENT_END] = 2}},
    {"three threads", 3, {[EVENT_TOUCH] = 1, [EVENT_END] = 1}},
};

static const struct {
	enum model_mutation mutation;
	const char *name;
} mutations[] = {
    {NO_LOOK_AFTER_FAULT, "no look at the end of a fault"},
    {NO_RESTART_OF_RETURN, "no restart"},
    {ASKS_AFTER_RELEASE, "asks after release"},
    {NO_TAKING_BACK, "no taking back"},
    {BORN_NOT_WAITED_FOR, "born"},
    {BORN_NOT_NAMED, "named"},
    {ASKS_EXECS, "asks execs"},
    {EXIT_DOES_NOT_LEAVE, "exit"},
    {FORK_KEEPS_BLOCKS, "fork"},
    {DEAD_NOT_BURIED, "dead"},
    {NO_BARRIER, "barrier"},
    {DEFERRED_KEPT, "deferred"},
    {FILTER_DOES_NOT_WAIT, "filter wait"},
    {BEGAN_DOES_NOT_WAIT, "began wait"},
    {MAIN_DOES_NOT_WAIT, "main wait"},
    {SLEEPER_GOES_LAST, "sleeper goes last"},
    {SLEEPER_DOES_NOT_LOOK, "sleeper's look"},
    {WAITS_FOR_STATES_ONLY, "states only"},
    {PAGE_NOT_EMPTIED, "page not emptied"},
    {FILTERS_WAIT_FOR_EACH_OTHER, "filters wait"},
    {EXIT_GOES_FIRST, "exit first"},
    {ASKS_ONCE, "asks once"},
    {FINISHES_ONCE, "finishes once"},
};

static void test_nothing_is_wrong(void **state)
{
	const char *missing;
	(void)state;
	for (unsigned i = 0; i < COUNT(scenarios); i++) {
		struct search_result result = search_scenario(&scenarios[i], MUTATION_NONE, true);
		print_message("%s: %u states\n", scenarios[i].name, result.states);
		assert_null(result.wrong);
	}
	if (!model_took_all_steps(&missing))
		fail_msg("no state is reached by this step of states.def: %s", missing);
}

/* Each repair that is taken out is missed in one of the scenarios at least. */
static void test_each_repair_is_needed(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COUNT(mutations); i++) {
		bool found = false;

		for (unsigned j = 0; j < COUNT(scenarios) && !found; j++)
			found = search_scenario(&scenarios[j], mutations[i].mutation, false).wrong;
		if (!found)
			fail_msg("nothing goes wrong without this: %s", mutations[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_nothing_is_wrong),
	    cmocka_unit_test(test_each_repair_is_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
