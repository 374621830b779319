/* Running a policy on a recording: what it would have brought in, and what that costs. Pure.
 */
#pragma once

#include "bench/replay/recording.h"
#include "loader/predict/predict.h"

/* Microseconds. */
struct costs {
	double signal;	     /* a touch of a hidden page, to the handler and back */
	double reveal;	     /* the call that reveals a run of pages */
	double kernel_fault; /* the kernel fills a revealed page */
	double zero_fault;   /* the same for a page of .bss that is never written */
	double populate;     /* a page, among those that a call populates */
	double huge;	     /* 4 KiB of a huge page */
	double collapse;     /* making a huge page of pages that are there, beyond filling it */
};

/* Measured on one machine. */
#define COSTS_DEFAULT                                                                              \
	((struct costs){.signal = 2.6,                                                             \
			.reveal = 0.6,                                                             \
			.kernel_fault = 1.43,                                                      \
			.zero_fault = 0.7,                                                         \
			.populate = 0.98,                                                          \
			.huge = 0.26,                                                              \
			.collapse = 170})

struct simulation {
	policy_function *predict;
	uint64_t parameter; /* the policy's */
	struct costs costs;
	bool files;		    /* file regions are lazy, too */
	enum huge_pages huge_pages; /* the system's setting */
};

/* These count lazy regions only. */
struct simulation_result {
	uint64_t pages;	     /* of the regions */
	uint64_t touched;    /* of them */
	uint64_t faults;     /* signals served */
	uint64_t reveals;    /* calls of the engine */
	uint64_t ahead;	     /* pages brought in together with touched ones */
	uint64_t ahead_used; /* of them, touched later */
	uint64_t wasted;     /* populated and never touched */
	uint64_t peak;	     /* pages populated; nothing is given back, so those at the end */
	double time, native; /* microseconds: as modelled, and with the kernel's paging alone */
};

/* False without memory. */
bool simulate(const struct recording *recording, const struct simulation *simulation,
	      struct simulation_result *result);
