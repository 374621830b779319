/* The rows of the experiment "services": what times them, and what every one of them takes. */
#pragma once

#include "bench/experiments/reading.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The columns of times, in this order. */
enum services_column { SERVICES_NS, SERVICES_TICKS, SERVICES_TIMES };

/* The time stamp counter, read after all that stands before it and before all that follows. */
uint64_t services_ticks(void);

/* Fills the three columns: ticks that went by while something happened so many times. */
void services_report(struct reading *reading, uint64_t ticks, uint64_t times);

/* The parameter of services_loop: what does it, and how often in one reading. */
struct services_loop {
	void (*run)(uint64_t times);
	uint64_t times;
};
row_measure services_loop;

void services_read_ticks(uint64_t times);
void services_read_clock(uint64_t times);
void services_nothing(uint64_t times);

/* Calls of a function of 0 to 7 arguments. */
#define SERVICES_CALLS 8
extern void (*const services_call[SERVICES_CALLS])(uint64_t times);

void services_system_call(uint64_t times);
void services_fork(uint64_t times);
void services_vfork(uint64_t times);
void services_thread(uint64_t times);

/* The parameter of services_pipe: with whom a byte goes to and fro. */
struct services_partner {
	bool thread;
};
row_measure services_pipe;

/* The parameter of services_latency: 0 bytes are those of the settings, beyond all caches. */
struct services_area {
	size_t bytes;
};
row_measure services_latency;

/* The parameter of services_bandwidth: one pass, which returns the bytes it moved. */
struct services_pass {
	size_t (*run)(uint64_t *area, size_t bytes);
};
row_measure services_bandwidth;
size_t services_read_pass(uint64_t *area, size_t bytes);
size_t services_write_pass(uint64_t *area, size_t bytes);
size_t services_copy_pass(uint64_t *area, size_t bytes);

/* The parameter of services_page: where a page comes from, and what asks for it. */
struct services_page {
	enum { PAGE_ZEROED, PAGE_CACHED, PAGE_DROPPED } from;
	enum { BY_LOAD, BY_STORE, BY_PREAD } by;
	bool alone; /* of a file: the kernel may not map its neighbors along with it */
};
row_measure services_page;
