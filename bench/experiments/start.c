/*
 * What does exec cost, and what does a loader add? The ladder: an empty program without a loader,
 * under loaders that do less and less, and under this project's. Every start of a rung is paired
 * with a native one.
 */
#include "bench/experiments/results.h"
#include "bench/shared/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAIRS 100

/* Names in this program's folder, where the build puts them. */
#define PROGRAM "./empty" /* with a slash, or the loaders would look for it in PATH */

#define TABLE	  "An empty program, from fork to its end"
#define BARE	  "maps and jumps"
#define FAITHFUL  "does all that a program could miss"
#define EXEC_ONLY "only calls exec"
#define ALL_ONCE  "all_at_once_loader"
#define HYBRID	  "hybrid_loader"
#define ON_DEMAND "on_demand_loader"

enum column_number { WALL_US, MORE_US, RATIO, CPU_US, FAULTS, CALLS };

static const struct column columns[] = {
    [WALL_US] = {"µs", 1},
    [MORE_US] = {"more than native", 1},
    [RATIO] = {"x native", 2},
    [CPU_US] = {"µs CPU", 1},
    [FAULTS] = {"page faults", 0},
    [CALLS] = {"system calls", 0},
    {"", 0},
};

static void enter_folder(void)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (length < 0)
		reading_fail("cannot read /proc/self/exe: %s; mount /proc", strerror(errno));
	path[length] = '\0';
	slash = strrchr(path, '/');
	*slash = '\0';
	if (chdir(path) != 0)
		reading_fail("cannot enter %s: %s", path, strerror(errno));
}

/* A new process with this program, stopped at its first instruction if it is traced. */
static pid_t start(const char *loader, bool traced)
{
	char *words[] = {(char *)loader, PROGRAM, NULL};
	char **argv = loader == NULL ? words + 1 : words;
	pid_t child = vfork();

	if (child == 0) {
		if (traced)
			ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[0], argv);
		_exit(127);
	}
	if (child < 0)
		reading_fail("no process: %s", strerror(errno));
	return child;
}

static void check_end(const char *loader, int status)
{
	if (status != 0)
		reading_fail("%s does not run: status 0x%x", loader == NULL ? PROGRAM : loader,
			     (unsigned)status);
}

/* Wall time in µs. */
static double run(const char *loader, struct rusage *usage)
{
	uint64_t begin = reading_now_ns();
	int status = 0;

	if (wait4(start(loader, false), &status, 0, usage) < 0)
		reading_fail("cannot wait: %s", strerror(errno));
	check_end(loader, status);
	return (double)(reading_now_ns() - begin) / 1e3;
}

/*
 * How many system calls a start makes. Each call stops the child twice, but the last, which does
 * not return, once. The first stop is execve's.
 */
static double count_calls(const char *loader)
{
	pid_t child = start(loader, true);
	double stops = 0;
	int status;

	for (;;) {
		int deliver;

		if (waitpid(child, &status, 0) < 0)
			reading_fail("cannot wait: %s", strerror(errno));
		if (!WIFSTOPPED(status))
			break;
		deliver = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		stops += deliver == 0;
		ptrace(PTRACE_SYSCALL, child, NULL, (void *)(intptr_t)deliver);
	}
	check_end(loader, status);
	return ceil((stops - 1) / 2);
}

static void measure(const struct settings *settings, const void *loader, struct reading *reading)
{
	double wall[PAIRS], native[PAIRS], more[PAIRS], cpu[PAIRS];
	const struct timeval none = {0};
	struct rusage usage, natively;

	(void)settings;
	enter_folder();
	run(loader, &usage);
	for (unsigned i = 0; i < PAIRS; i++) {
		native[i] = i % 2 == 0 ? run(NULL, &natively) : 0;
		more[i] = wall[i] = run(loader, &usage);
		native[i] = i % 2 == 0 ? native[i] : run(NULL, &natively);
		cpu[i] =
		    1e3 * (reading_ms(none, usage.ru_utime) + reading_ms(none, usage.ru_stime));
	}
	statistics_pair_differences(more, native, PAIRS);
	reading->value[MORE_US] = statistics_interval(more, PAIRS).median;
	memcpy(more, wall, sizeof(more));
	statistics_pair_ratios(more, native, PAIRS);
	reading->value[RATIO] = statistics_interval(more, PAIRS).median;
	reading->value[WALL_US] = statistics_interval(wall, PAIRS).median;
	reading->value[CPU_US] = statistics_interval(cpu, PAIRS).median;
	reading->value[FAULTS] = (double)usage.ru_minflt;
	reading->value[CALLS] = count_calls(loader);
}

static const struct row rows[] = {
    {"native", measure, NULL, 0},
    {BARE, measure, "rungs/bare", 0},
    {FAITHFUL, measure, "rungs/faithful", 0},
    {EXEC_ONLY, measure, "rungs/exec_only", 0},
    {ALL_ONCE, measure, "../loader/all_at_once_loader", 0},
    {HYBRID, measure, "../loader/hybrid_loader", 0},
    {ON_DEMAND, measure, "../loader/on_demand_loader", 0},
    {0},
};

static double value(const struct results *results, const char *row, enum column_number column)
{
	return results_median(results, TABLE, row, column);
}

static void holds(const struct results *results, FILE *out)
{
	double bare = value(results, BARE, MORE_US), faithful = value(results, FAITHFUL, MORE_US);
	double exec = value(results, EXEC_ONLY, MORE_US), all = value(results, ALL_ONCE, MORE_US);

	if (isnan(bare + faithful + exec + all)) {
		fprintf(out, "It cannot be said: not every rung could be measured.");
		return;
	}
	fprintf(
	    out,
	    "%s; an empty program takes %.0f µs, and %.0f more under a loader that maps and jumps, "
	    "%.0f under one that also does all that a program could miss, %.0f under one that "
	    "only calls exec; all_at_once_loader %.0f, hybrid_loader %.0f, on_demand_loader "
	    "%.0f.",
	    faithful < exec ? "It holds" : "It does not hold", value(results, "native", WALL_US),
	    bare, faithful, exec, all, value(results, HYBRID, MORE_US),
	    value(results, ON_DEMAND, MORE_US));
}

const struct experiment experiment = {
    .name = "start",
    .summary = "What exec costs, and what a loader adds: an empty program under seven of them.",
    .found = "a loader can do all that exec does, after its own exec, in less time than a second "
	     "exec takes: 20 µs against 35, where the program itself takes 60 to 90.",
    .tables = {{TABLE, columns, rows, SHOW_MEDIAN}},
    .default_mib = 2,
    .default_rounds = 5,
    .holds = holds,
};
