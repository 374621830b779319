/* Shared by the files of the memory access experiment: the cases, and the columns of a reading. */
#pragma once

#include "bench/experiments/reading.h"

#include <sys/types.h>

#define ACCESS_LINE_BYTES 64u	/* of a cache line */
#define ACCESS_SET_LINES  512u	/* of a working set: 32 KiB */
#define ACCESS_SET_WALKS  16u	/* before the next working set */
#define ACCESS_SET_SHARE  8192u /* bytes of the buffer for every working set */

enum access_backing { ACCESS_ANONYMOUS, ACCESS_PRIVATE_FILE, ACCESS_SHARED_FILE };
enum access_order { ACCESS_SEQUENTIAL, ACCESS_RANDOM };

/* How the buffer is prepared before the measured loop. */
enum access_before {
	ACCESS_PLAIN,	 /* nothing: the loop takes the page faults */
	ACCESS_POPULATE, /* MAP_POPULATE */
	ACCESS_WRITE	 /* memset, and msync where the file is shared */
};

/* The parameter of a row. */
struct access_case {
	const char *name; /* the row's */
	enum access_backing backing;
	enum access_order order;
	enum access_before before;
	bool in_bytes;	 /* starts of working sets are so many bytes, not lines, as in the source */
	bool beside_hog; /* another process touches random pages meanwhile */
};

/*
 * The columns, in the order of struct reading. All but the set-up's and maxrss are of the access
 * loop alone.
 */
#define ACCESS_COLUMNS(COLUMN)                                                                     \
	COLUMN(ACCESS_TIME, "time ms", 1)                                                          \
	COLUMN(ACCESS_USER, "user ms", 1)                                                          \
	COLUMN(ACCESS_SYSTEM, "system ms", 1)                                                      \
	COLUMN(ACCESS_SETUP, "set-up ms", 1)                                                       \
	COLUMN(ACCESS_SETUP_MAXRSS, "maxrss after set-up MiB", 1)                                  \
	COLUMN(ACCESS_MAXRSS, "maxrss MiB", 1)                                                     \
	COLUMN(ACCESS_MINOR, "minor faults", 0)                                                    \
	COLUMN(ACCESS_MAJOR, "major faults", 0)                                                    \
	COLUMN(ACCESS_BLOCKS_IN, "blocks in", 0)                                                   \
	COLUMN(ACCESS_BLOCKS_OUT, "blocks out", 0)                                                 \
	COLUMN(ACCESS_VOLUNTARY, "voluntary switches", 1)                                          \
	COLUMN(ACCESS_INVOLUNTARY, "involuntary switches", 1)                                      \
	COLUMN(ACCESS_L1D_MISS_RATE, "L1D read-miss rate", 3)                                      \
	COLUMN(ACCESS_DTLB_READ_MISSES, "dTLB read misses", 0)                                     \
	COLUMN(ACCESS_DTLB_WRITE_MISSES, "dTLB write misses", 0)                                   \
	COLUMN(ACCESS_PAGE_FAULTS, "page faults", 0)

enum access_column { ACCESS_COLUMNS(COLUMN_NUMBER) };

row_measure access_measure;

/*
 * The children of a row: one that makes memory warm, and the hog. All functions here end the row
 * with a reason when they cannot do their work.
 */

/* How large a hog may be now: bounded, since the machine may be shared. */
size_t access_hog_bytes(const struct settings *settings);

/*
 * Touches that much memory and drops it, in a child process, so that this process's maxrss does not
 * show it.
 */
void access_warm(size_t bytes);

/* Starts a hog on that CPU, and returns when it holds all its memory. */
pid_t access_hog_start(const struct settings *settings, size_t bytes, size_t cpu);

/* Ends the hog, and the row, too, if the hog had died before: the row was measured alone then. */
void access_hog_stop(pid_t hog);

/* Shows this process's maps if ACCESS_MAPS=1. */
void access_maps_show(const struct access_case *which);
