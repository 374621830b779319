/*
 * One measured run, as the launcher sends it to the driver through a pipe. The two are linked with
 * different C libraries, so every field has a fixed width.
 */
#ifndef BENCH_SAMPLE_H
#define BENCH_SAMPLE_H

#include <stdint.h>

/* The descriptor on which the launcher writes its one struct run_sample. */
#define SAMPLE_FD 3

/*
 * What is counted of a run: its name, which ends in the unit and is the name in the JSON file too,
 * and the factor from there to the unit for people (milliseconds, KB).
 */
#define SAMPLE_MEASURES(X)                                                                         \
	X(wall_ns, 1e-6)                                                                           \
	X(user_us, 1e-3)                                                                           \
	X(system_us, 1e-3)                                                                         \
	X(peak_rss_kb, 1.0)                                                                        \
	X(minor_faults, 1.0)                                                                       \
	X(major_faults, 1.0)

enum measure {
#define X(name, unit) MEASURE_##name,
	SAMPLE_MEASURES(X)
#undef X
	    MEASURE_COUNT
};

/*
 * Either the time of a run is measured, or its memory. Since Linux 6.2 the peak RSS that wait4
 * tells comes in steps of 128 KB and more: each CPU counts apart and adds up every 32 pages or
 * more. The exact number is in /proc until the process exits, so a run measured for its memory is
 * traced and stopped there, which takes time.
 */
struct run_sample {
	int64_t counted[MEASURE_COUNT];
	int32_t exit_code;  /* when signal is 0 */
	int32_t signal;	    /* that killed the program, or 0 */
	int32_t exec_errno; /* not 0: nothing ran */
	int32_t timed_out;  /* not 0: the launcher killed it */
	int32_t rss_exact;  /* not 0: the peak RSS is from /proc, 0: from wait4 */
};

#endif
