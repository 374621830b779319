/*
 * Counters of the kernel and of the processor through perf_event_open(2): page faults, and where
 * the machine has them instructions, cycles, first-level data cache and data TLB.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The name, which is the name in the JSON file too; perf's type; perf's number of the event. */
#define COUNTER_EVENTS(X)                                                                          \
	X(page_faults, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS)                              \
	X(cycles, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)                                    \
	X(instructions, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS)                            \
	X(l1d_reads, PERF_TYPE_HW_CACHE, COUNTER_CACHE(L1D, READ, ACCESS))                         \
	X(l1d_writes, PERF_TYPE_HW_CACHE, COUNTER_CACHE(L1D, WRITE, ACCESS))                       \
	X(l1d_read_misses, PERF_TYPE_HW_CACHE, COUNTER_CACHE(L1D, READ, MISS))                     \
	X(dtlb_read_misses, PERF_TYPE_HW_CACHE, COUNTER_CACHE(DTLB, READ, MISS))                   \
	X(dtlb_write_misses, PERF_TYPE_HW_CACHE, COUNTER_CACHE(DTLB, WRITE, MISS))

#define COUNTER_CACHE(cache, operation, result)                                                    \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##operation << 8 |                   \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

enum counter {
#define X(name, type, event) COUNTER_##name,
	COUNTER_EVENTS(X)
#undef X
	    COUNTER_COUNT
};

/* Why a counter has no number, in addition to the error numbers of perf_event_open. */
#define COUNTER_NOT_SCHEDULED (-1) /* the processor has too few counters for the whole group */

/* One count of all events. A counter that is absent has an error and never a value. */
struct counts {
	uint64_t value[COUNTER_COUNT];
	int32_t error[COUNTER_COUNT]; /* 0: the value counts */
	int32_t user_only;	      /* not 0: the kernel hides its own part of processor events */
};

struct counters {
	int fd[COUNTER_COUNT];
	struct counts counts;
};

/*
 * The counted work: of the calling thread from now on, or of the processes that it forks, from
 * their execve on.
 */
enum counters_of { COUNTERS_SELF, COUNTERS_CHILDREN };

/*
 * Opens what the machine has, all processor events in one group, so that they count the same
 * instructions. Descriptors are close-on-exec.
 */
void counters_open(struct counters *counters, enum counters_of whose);

/* Reads what has been counted since counters_open, children that have exited included. */
void counters_read(struct counters *counters, struct counts *counts);

void counters_close(struct counters *counters);

const char *counter_name(enum counter counter);

/* Why the counter is absent, for people: "the processor or the virtual machine has none". */
const char *counter_reason(int32_t error);
