/* Runs the transform under all_at_once_loader, which is gone when it begins, and reads its cycles.
 */
#include "bench/experiments/frames.h"
#include "bench/shared/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOADER	"./all_at_once_loader"
#define PROGRAM "build/guests/musl-static/fft"

enum { MOST_ITERATIONS = 64 };

static _Noreturn void run(const struct frames_way *way, int output)
{
	const char *words[8] = {LOADER};
	size_t count = 1;

	for (size_t i = 0; i < 2; i++)
		if (way->options[i] != NULL)
			words[count++] = way->options[i];
	words[count++] = PROGRAM;
	words[count++] = WARM_UP;
	words[count++] = ITERATIONS;
	words[count] = NULL;
	if (dup2(output, STDOUT_FILENO) >= 0)
		execv(LOADER, (char *const *)words);
	reading_fail("%s: %s; build it: make all guests", LOADER, strerror(errno));
}

static size_t read_cycles(int input, double *millions)
{
	FILE *file = fdopen(input, "r");
	unsigned long long cycles;
	size_t count = 0;

	while (file != NULL && count < MOST_ITERATIONS && fscanf(file, "%llu", &cycles) == 1)
		millions[count++] = (double)cycles / 1e6;
	if (file != NULL)
		fclose(file);
	return count;
}

void frames_measure(const struct settings *settings, const void *parameter, struct reading *reading)
{
	double millions[MOST_ITERATIONS], least = INFINITY;
	struct counters counters;
	struct counts counts;
	int ends[2], status;
	size_t count;
	pid_t child;

	(void)settings;
	if (pipe(ends) != 0)
		reading_fail("no pipe: %s", strerror(errno));
	counters_open(&counters, COUNTERS_CHILDREN);
	child = fork();
	if (child < 0)
		reading_fail("fork: %s", strerror(errno));
	if (child == 0)
		run(parameter, ends[1]);
	close(ends[1]);
	count = read_cycles(ends[0], millions);
	if (waitpid(child, &status, 0) != child || status != 0 || count < 2)
		reading_fail("%s under %s ended with status %#x: see what it says", PROGRAM, LOADER,
			     (unsigned)status);
	counters_read(&counters, &counts);
	for (size_t i = 0; i < count; i++)
		least = fmin(least, millions[i]);
	reading->value[LEAST] = least;
	reading->value[MEAN] = statistics_mean(millions, count);
	reading->value[DEVIATION] = statistics_deviation(millions, count);
	reading_count(reading, L1D_MISSES, &counts, COUNTER_l1d_read_misses, 1e3);
	reading_count(reading, DTLB_MISSES, &counts, COUNTER_dtlb_read_misses, 1e3);
}
