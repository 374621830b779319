/*
 * random_steps SEED [STEPS]: so many steps at random, of memory, signals, threads, processes and
 * timers, each with a model that says what must come of it. The guest prints what differs from the
 * model, and in the end a checksum; the same seed gives the same output. Even seeds leave signals
 * of faults alone, for blocking or ignoring them ends lazy paging.
 */
#include "guest.h"
#include "random_steps/pages.h"
#include "random_steps/pending.h"
#include "random_steps/steps.h"

#define STEPS 150

static int step, generation;
static void make_step(void);

/* The child makes its own steps in its copy of everything. */
static void step_fork(void)
{
	uint64_t count = 1 + random_below(10);
	pid_t child;

	if (generation == 2)
		return;
	child = fork();
	if (child == 0) {
		generation++;
		pending_begin_child();
		while (count-- > 0)
			make_step();
		_exit(expect_wrong() != 0);
	}
	expect("child", wait_for_child(child), 0);
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

static void make_step(void)
{
	unsigned sum = 0, which = 0;

	for (unsigned i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		sum += steps[i].weight;
	sum = (unsigned)random_below(sum);
	while (sum >= steps[which].weight)
		sum -= steps[which++].weight;
	expect_in(step, steps[which].name);
	steps[which].make();
	pending_check();
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	int count = argc > 2 ? atoi(argv[2]) : STEPS;
	char line[100];
	int length;

	random_begin(seed);
	pages_begin();
	signals_begin(seed % 2 != 0);
	for (step = 1; step <= count; step++)
		make_step();
	expect_in(step, "end");
	pages_check_all();
	length = snprintf(line, sizeof(line), "%d wrong, checksum %016lx\n", expect_wrong(),
			  (unsigned long)expect_checksum());
	return write(1, line, (size_t)length) != length || expect_wrong() > 0;
}
