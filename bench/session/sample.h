/*
 * One measured run, as the launcher sends it to the driver through a pipe. The two are linked with
 * different C libraries, so every field has a fixed width.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The descriptor on which the launcher writes its one struct run_sample. */
#define SAMPLE_FD 3

/*
 * What a round is for. Only one thing is measured at a time, because measuring has its price:
 *
 * - memory: since Linux 6.2 the peak RSS that wait4 reports grows in steps of 128 KB and more,
 *   because each CPU counts separately and adds up every 32 pages or more. The exact number is in
 *   /proc until the process exits, so such a run is traced and stopped there. These rounds come
 *   first and warm the caches, too.
 * - counters: perf_event_open counts.
 * - statistics: the loader writes its own statistics; the native run is left out.
 * - time: only the wall time.
 */
#define SAMPLE_ROUNDS(X) X(memory) X(counters) X(statistics) X(time)

enum round_kind {
#define X(name) ROUND_##name,
	SAMPLE_ROUNDS(X)
#undef X
	    ROUND_KINDS
};

/*
 * How a value of a run is counted: its name, which ends in the unit and is also the name in the
 * JSON file; the factor to the unit for people (milliseconds, KB); and the rounds made for it.
 */
#define SAMPLE_MEASURES(X)                                                                         \
	X(wall_ns, 1e-6, time)                                                                     \
	X(user_us, 1e-3, time)                                                                     \
	X(system_us, 1e-3, time)                                                                   \
	X(cpu_us, 1e-3, time)                                                                      \
	X(peak_rss_kb, 1.0, memory)                                                                \
	X(minor_faults, 1.0, time)                                                                 \
	X(major_faults, 1.0, time)                                                                 \
	X(voluntary_switches, 1.0, time)                                                           \
	X(involuntary_switches, 1.0, time)                                                         \
	X(blocks_in, 1.0, time)                                                                    \
	X(blocks_out, 1.0, time)                                                                   \
	X(page_faults, 1.0, counters)                                                              \
	X(cycles, 1.0, counters)                                                                   \
	X(instructions, 1.0, counters)                                                             \
	X(l1d_reads, 1.0, counters)                                                                \
	X(l1d_writes, 1.0, counters)                                                               \
	X(l1d_read_misses, 1.0, counters)                                                          \
	X(dtlb_read_misses, 1.0, counters)                                                         \
	X(dtlb_write_misses, 1.0, counters)                                                        \
	X(faults_served, 1.0, statistics)                                                          \
	X(pages_ahead, 1.0, statistics)                                                            \
	X(pages_ahead_used, 1.0, statistics)                                                       \
	X(handler_ns, 1e-6, statistics)                                                            \
	X(calls_intercepted, 1.0, statistics)                                                      \
	X(pages_for_calls, 1.0, statistics)

enum measure {
#define X(name, unit, round) MEASURE_##name,
	SAMPLE_MEASURES(X)
#undef X
	    MEASURE_COUNT
};

/* Why a sample has no value, in addition to the reasons of counter_reason. */
enum absent {
	ABSENT_OTHER_ROUND = -10, /* the round was made for something else */
	ABSENT_NO_PROGRAM = -11,  /* the launcher alone has no memory to measure */
	ABSENT_NATIVE = -12,	  /* there is no loader to report it */
	ABSENT_NOT_WRITTEN = -13, /* the loader wrote no statistics */
};

struct run_sample {
	int64_t counted[MEASURE_COUNT];
	int32_t absent[MEASURE_COUNT]; /* 0: counted; otherwise why the value is absent */
	int32_t exit_code;	       /* when signal is 0 */
	int32_t signal;		       /* that killed the program, or 0 */
	int32_t exec_errno;	       /* not 0: nothing ran */
	int32_t timed_out;	       /* not 0: the launcher killed it */
	int32_t rss_exact;	       /* not 0: the peak RSS is from /proc, 0: from wait4 */
	int32_t user_only;	       /* not 0: counters of the processor leave the kernel out */
};

/* How tables and files describe a measure; bench/session/sample.c. */
const char *sample_name(enum measure measure);
double sample_unit(enum measure measure);
enum round_kind sample_round(enum measure measure);
const char *sample_round_name(enum round_kind kind);

/*
 * A sentence for people. NULL for a reason that needs no mention (another round, no program,
 * native).
 */
const char *sample_absent_reason(int32_t absent);

/* All measures absent, for that reason. */
void sample_clear(struct run_sample *sample, int32_t absent);

/* The value counts from now on. */
void sample_set(struct run_sample *sample, enum measure measure, int64_t value);
