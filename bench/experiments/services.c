/*
 * The services of processor and kernel that programs use, from a procedure call to a page fault
 * that waits for a disk. Each has a prediction that was written before measuring. For lazy paging
 * the pages matter most: the cost of one, by every way of getting it.
 */
#include "bench/experiments/results.h"
#include "bench/experiments/services.h"

#include <math.h>
#include <string.h>

#define TIMES	  "time, ns"
#define BANDWIDTH "bandwidth, GB/s"

#define PROCESS_SWITCH "switch over a pipe, processes"
#define THREAD_SWITCH  "switch over a pipe, threads"
#define L1_LOAD	       "load from L1 (16 KiB)"
#define L2_LOAD	       "load from L2 (256 KiB)"
#define MEMORY_LOAD    "load from main memory"
#define FAULT	       "page fault: "
#define FAULT_ZEROED   FAULT "zeroed memory, store"
#define FAULT_CACHED   FAULT "cached file, load"
#define FAULT_DROPPED  FAULT "dropped file, load"

#define LOOP(run, times)      services_loop, (&(const struct services_loop){run, times})
#define PARTNER(...)	      services_pipe, (&(const struct services_partner){__VA_ARGS__})
#define LATENCY(bytes)	      services_latency, (&(const struct services_area){bytes})
#define PAGE(from, by, alone) services_page, (&(const struct services_page){from, by, alone})
#define PASS(run)	      services_bandwidth, (&(const struct services_pass){run})

static void call_row(const struct settings *settings, const void *parameter,
		     struct reading *reading)
{
	const size_t *arguments = parameter;
	struct services_loop loop = {services_call[*arguments], 5000000};

	services_loop(settings, &loop, reading);
}

/* A call and its return: 1 ns for two jumps that are predicted, and a move for each argument. */
#define CALL(count, name)                                                                          \
	{                                                                                          \
		name, call_row, &(const size_t){count}, 1 + 0.25 * (count)                         \
	}

static const struct row times[] = {
    /* The counter takes some 25 to 40 cycles, and two fences that let nothing overlap. */
    {"read the counter (rdtsc)", LOOP(services_read_ticks, 1000000), 15},
    /* The counter, a multiplication, and two looks at whether the kernel changed the factors. */
    {"read the clock (vDSO)", LOOP(services_read_clock, 1000000), 25},
    /* A decrement and a jump that is predicted: one cycle of about 3 GHz. */
    {"loop around nothing", LOOP(services_nothing, 5000000), 0.3},
    CALL(0, "call, 0 arguments"),
    CALL(1, "call, 1 argument"),
    CALL(2, "call, 2 arguments"),
    CALL(3, "call, 3 arguments"),
    CALL(4, "call, 4 arguments"),
    CALL(5, "call, 5 arguments"),
    CALL(6, "call, 6 arguments"),
    CALL(7, "call, 7 arguments"),
    /* Entry and return take some 50 ns, mitigations and the table of calls as much again. */
    {"system call (getppid)", LOOP(services_system_call, 500000), 120},
    /* Copying page tables of a small process, two switches, faults on what was shared. */
    {"fork, exit, wait", LOOP(services_fork, 300), 100000},
    /* Like fork, without page tables to copy and without faults on shared pages. */
    {"vfork, exit, wait", LOOP(services_vfork, 1000), 30000},
    /* A mapped stack that gets reused, clone, one wakeup, one switch and a futex. */
    {"thread, create and join", LOOP(services_thread, 2000), 15000},
    /* Two system calls of 300 ns each for the pipe, and 1400 ns to schedule and to change page
     * tables. The source's 16.8 us are of a machine, or a way, that is slower. */
    {PROCESS_SWITCH, PARTNER(.thread = false), 2000},
    /* Like a switch between processes, but the page tables stay. */
    {THREAD_SWITCH, PARTNER(.thread = true), 1700},
    /* Four cycles. */
    {L1_LOAD, LATENCY((size_t)16 << 10), 1.3},
    /* Fourteen cycles, and pages that the first-level TLB just holds. */
    {L2_LOAD, LATENCY((size_t)256 << 10), 4.2},
    /*
     * 90 ns for the memory of a server, and 20 for a page walk in two dimensions. The part that the
     * last-level cache holds makes up for the rest.
     */
    {MEMORY_LOAD, LATENCY(0), 110},
    /* Exception and return 150 ns, the area's lookup 50, allocation and accounting 150, 4 KiB of
     * zeros 100, the entry 50. */
    {FAULT_ZEROED, PAGE(PAGE_ZEROED, BY_STORE, false), 500},
    /* No allocation and no zeroing: the kernel maps the same page of zeros for all. */
    {FAULT "zeroed memory, load", PAGE(PAGE_ZEROED, BY_LOAD, false), 300},
    /* No allocation either, but a search in the cache of the file. */
    {FAULT_CACHED, PAGE(PAGE_CACHED, BY_LOAD, true), 400},
    /*
     * The cost of a page of a cached file alone, and 25 ns for the entry and the count of each of
     * 15 neighbors.
     */
    {FAULT "cached file, load, maps 16", PAGE(PAGE_CACHED, BY_LOAD, false), 775},
    /* The cost of zeroed memory, with a search in the cache and a copy instead of the zeroing. */
    {FAULT "cached file, store", PAGE(PAGE_CACHED, BY_STORE, false), 700},
    /* A read of a solid-state disk, through a virtual machine. The rest is small in comparison. */
    {FAULT_DROPPED, PAGE(PAGE_DROPPED, BY_LOAD, false), 100000},
    /* A system call, a search in the cache, a copy. */
    {"pread: cached file, 4 KiB", PAGE(PAGE_CACHED, BY_PREAD, false), 400},
    /* The disk's read, as for a dropped file's page. */
    {"pread: dropped file, 4 KiB", PAGE(PAGE_DROPPED, BY_PREAD, false), 100000},
    {NULL, NULL, NULL, 0},
};

/*
 * One core has some 20 lines under way at a time: 20 * 64 bytes / 90 ns is 14 GB/s, and more
 * because the processor fetches ahead.
 */
static const struct row bandwidths[] = {
    {"read", PASS(services_read_pass), 20},
    /* A line is fetched before it is written and goes back, unless memset goes past the cache. */
    {"write (memset)", PASS(services_write_pass), 12},
    /* Each byte is read once and written once. */
    {"copy (memcpy)", PASS(services_copy_pass), 8},
    {NULL, NULL, NULL, 0},
};

static const struct column time_columns[] = {
    [SERVICES_NS] = {"ns", 1},
    [SERVICES_TICKS] = {"ticks", 1},
    [SERVICES_TIMES] = {"times", 0},
    {"", 0},
};
static const struct column bandwidth_columns[] = {{"GB/s", 1}, {"", 0}};

/* The source's figures, in ns. */
static const struct figure {
	const char *row, *name;
	double source;
} figures[] = {
    {PROCESS_SWITCH, "switch of processes", 16800},
    {THREAD_SWITCH, "switch of threads", 16100},
    {L1_LOAD, "L1", 6},
    {L2_LOAD, "L2", 6},
    {MEMORY_LOAD, "main memory", 128},
};
#define FIGURES (sizeof(figures) / sizeof(*figures))

/* Half an order of magnitude up or down still rounds to the same one. */
static bool same_magnitude(double measured, double source)
{
	return fabs(log10(measured / source)) < 0.5;
}

static void write_verdict(const struct results *results, FILE *out)
{
	size_t measured = 0, same = 0;

	for (size_t i = 0; i < FIGURES; i++) {
		double here = results_median(results, TIMES, figures[i].row, SERVICES_NS);

		if (isnan(here))
			continue;
		measured++;
		if (same_magnitude(here, figures[i].source))
			same++;
	}
	/* A figure that could not be measured may be one that holds. */
	fprintf(out, "%s: %zu of %zu figures that could be measured",
		results_word(same, same == 0 && measured < FIGURES ? 0 : measured, FIGURES), same,
		measured);
}

static void write_figures(const struct results *results, FILE *out)
{
	for (size_t i = 0; i < FIGURES; i++) {
		double here = results_median(results, TIMES, figures[i].row, SERVICES_NS);

		fprintf(out, "%s%s ", i > 0 ? ", " : "", figures[i].name);
		if (isnan(here))
			fprintf(out, "not measured");
		else
			fprintf(out, "%.1f ns for %.0f (%s)", here, figures[i].source,
				same_magnitude(here, figures[i].source) ? "yes" : "no");
	}
}

static void write_ratios(const struct results *results, FILE *out)
{
	const char *between = "";

	for (const struct row *row = times; row->name != NULL; row++) {
		double ratio;

		if (strncmp(row->name, FAULT, strlen(FAULT)) != 0)
			continue;
		ratio = row->predicted / results_median(results, TIMES, row->name, SERVICES_NS);
		fprintf(out, "%s%s ", between, row->name + strlen(FAULT));
		if (isnan(ratio))
			fprintf(out, "not measured");
		else
			fprintf(out, "%.2f", ratio);
		between = "; ";
	}
}

static void holds(const struct results *results, FILE *out)
{
	write_verdict(results, out);
	fprintf(out,
		" have the source's order of magnitude, that is, lie within a factor of 3.2: ");
	write_figures(results, out);
	fprintf(out, "; predicted over measured, a page fault is ");
	write_ratios(results, out);
	fprintf(out, ".");
}

const struct experiment experiment = {
    .name = "services",
    .summary = "What calls, processes, switches, memory and pages cost, each with a prediction.",
    .found = "A context switch over a pipe takes 16.8 us between processes and 16.1 us between "
	     "threads, and a load takes 6 ns from the first-level cache, 6 ns from the second and "
	     "128 ns from main memory.",
    .tables =
	{
	    {TIMES, time_columns, times, SHOW_MEAN_AND_DEVIATION},
	    {BANDWIDTH, bandwidth_columns, bandwidths, SHOW_MEAN_AND_DEVIATION},
	},
    .default_mib = 64,
    .default_rounds = 10,
    .holds = holds,
};
