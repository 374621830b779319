/* The ways to get memory that the experiment `prefault` compares, and how each gets its pages. */
#pragma once

#include "bench/experiments/reading.h"

/* Headers older than Linux 5.14 do not have these. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

enum arena_kind {
	ARENA_NONE, /* one access a page, without objects */
	ARENA_ON_DEMAND,
	ARENA_PREFAULTS, /* a megabyte is prefaulted when an allocation first enters it */
};

/* The columns, in their order: each phase has four side by side. */
#define PREFAULT_COLUMNS(COLUMN)                                                                   \
	COLUMN(NS_A_PAGE, "ns a page", 0)                                                          \
	COLUMN(SET_UP_MS, "set-up ms", 2)                                                          \
	COLUMN(SET_UP_USER, "set-up user ms", 1)                                                   \
	COLUMN(SET_UP_SYSTEM, "set-up system ms", 1)                                               \
	COLUMN(SET_UP_MINOR, "set-up minor faults", 0)                                             \
	COLUMN(LOOP_MS, "loop ms", 2)                                                              \
	COLUMN(LOOP_USER, "loop user ms", 1)                                                       \
	COLUMN(LOOP_SYSTEM, "loop system ms", 1)                                                   \
	COLUMN(LOOP_MINOR, "loop minor faults", 0)                                                 \
	COLUMN(MAJOR, "major faults", 0)                                                           \
	COLUMN(MAPPED, "mapped MiB", 1)                                                            \
	COLUMN(RESIDENT, "resident MiB", 1)                                                        \
	COLUMN(HUGE, "huge MiB", 1)

enum prefault_column { PREFAULT_COLUMNS(COLUMN_NUMBER) };

/* The steps of way_set_up(): each step whose member is set, in this order. */
struct way {
	bool writes; /* the loop does; else it reads */
	bool from_malloc;
	size_t reserve; /* bytes of a reservation with MAP_NORESERVE, of which the first are used */
	int remap;	/* flag of a second mmap of that part, with MAP_FIXED */
	bool huge;	/* MADV_HUGEPAGE */
	bool lock;	/* mlock */
	int populate;	/* MADV_POPULATE_READ or MADV_POPULATE_WRITE, of everything at once */
	enum arena_kind arena;
};

struct area {
	char *start;
	size_t bytes;
};

/* Inside row_measure only: these end the child with a reason when they cannot. */
struct area way_set_up(const struct way *way, size_t bytes);
void way_populate(char *start, size_t bytes, int advice);

/* Accesses every page once. */
void way_touch(const struct way *way, const struct area *area);

/* The access is volatile, because the values read or written are not used. */
static inline void touch(char *where, bool writes)
{
	if (writes)
		*(volatile char *)where = 1;
	else
		(void)*(volatile char *)where;
}

/* The measure of every row; the parameter is a struct way. */
row_measure prefault_measure;
