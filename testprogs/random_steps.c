/*
 * random_steps SEED [STEPS]: so many steps at random, of memory, signals, threads, processes and
 * timers, each with a model that says what must come of it. What is different is printed, and in
 * the end a checksum; the same seed gives the same output. Even seeds leave signals of faults
 * alone, for blocking or ignoring them ends lazy paging.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random_steps/steps.h"

#define STEPS 150

static uint64_t state, checksum;
static int step, wrong;
static const char *name;

/* splitmix64 */
uint64_t random_below(uint64_t end)
{
	uint64_t value = state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return (value ^ value >> 31) % end;
}

bool random_one_in(uint64_t count)
{
	return random_below(count) == 0;
}

/* By write(): stdio would allocate memory, and that is for the steps to do. */
void expect(const char *what, long found, long expected)
{
	char line[200];
	int length;

	checksum = (checksum ^ (uint64_t)found) * UINT64_C(0x100000001b3);
	if (found == expected)
		return;
	length = snprintf(line, sizeof(line), "step %d, %s, %s: %ld, not %ld\n", step, name, what,
			  found, expected);
	if (wrong++ < 20 && write(1, line, (size_t)length) < 0)
		_exit(2);
}

static const struct {
	const char *name;
	unsigned weight;
	void (*make)(void);
} steps[] = {
    {"touch", 30, step_touch},	  {"protect", 10, step_protect}, {"unmap", 4, step_unmap},
    {"map", 8, step_map},	  {"remap", 6, step_remap},	 {"advise", 8, step_advise},
    {"break", 2, step_break},	  {"pipe", 16, step_pipe},	 {"arguments", 16, step_arguments},
    {"message", 4, step_message}, {"action", 8, step_action},	 {"mask", 8, step_mask},
    {"send", 16, step_send},	  {"take", 5, step_take},	 {"suspend", 4, step_suspend},
    {"stack", 2, step_stack},	  {"timer", 2, step_timer},	 {"sleep", 2, step_sleep},
    {"threads", 2, step_threads}, {"futex", 1, step_futex},	 {"fork", 2, step_fork},
    {"vfork", 2, step_vfork},	  {"sent", 2, step_sent},
};

int steps_wrong(void)
{
	return wrong;
}

void steps_make(void)
{
	unsigned sum = 0, which = 0;

	for (unsigned i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		sum += steps[i].weight;
	sum = (unsigned)random_below(sum);
	while (sum >= steps[which].weight)
		sum -= steps[which++].weight;
	name = steps[which].name;
	steps[which].make();
	signals_check();
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	int count = argc > 2 ? atoi(argv[2]) : STEPS;
	char line[100];
	int length;

	state = seed;
	pages_begin();
	signals_begin(seed % 2 != 0);
	for (step = 1; step <= count; step++)
		steps_make();
	name = "end";
	pages_check_all();
	length = snprintf(line, sizeof(line), "%d wrong, checksum %016lx\n", wrong,
			  (unsigned long)checksum);
	return write(1, line, (size_t)length) != length || wrong > 0;
}
