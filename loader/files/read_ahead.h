/* Reading ahead: asks the kernel for the parts of files that a program is going to need. */
#pragma once

#include "loader/files/files.h"

/* Descriptors of files that are open already; -1: they are opened by their paths. */
struct opened_files {
	int program, interpreter;
};

struct read_ahead {
	bool was_cold;	     /* some of the files' bytes were not in memory */
	uint64_t bytes;	     /* bytes requested, including those that were in memory already */
	uint64_t requests;   /* number of requests */
	size_t used;	     /* number of files read ahead */
	size_t skipped;	     /* number of files that are missing, changed, or must not be read */
	uint64_t bytes_most; /* the limit: memory_usable(), and a constant */
};

/*
 * Requests the ranges of all files, without waiting for data. If a sample of them is in memory,
 * nothing more is requested, unless `always`. Details report skipped files.
 */
struct read_ahead read_ahead(const struct known_files *files, const struct opened_files *opened,
			     bool always);

/*
 * Opens a file for reading ahead: not a device, a pipe or another version of the file. Does not
 * change its time of access if that is permitted. Returns -1 for any other file.
 */
int read_ahead_open(const struct known_file *file);

/*
 * Opens a file for reading, without waiting, and without changing its time of access if that is
 * permitted. `folder` is as for openat(2); `more` are additional flags. Returns -1 with errno.
 */
int file_open_unnoticed(int folder, const char *path, int more);

/* The bytes of memory that may be used without harm: a quarter of the available memory. */
uint64_t memory_usable(void);

enum residency { RESIDENT, NOT_RESIDENT, RESIDENCY_UNKNOWN };

/*
 * Whether a byte of a file is in memory. Any reader of the file may ask. RESIDENT is also returned
 * for a byte that this check has just read, if the device was done at once; then blocks_read() has
 * grown. Waits for the device only on file systems without non-waiting reads.
 */
enum residency residency_of(int descriptor, uint64_t offset);

/*
 * The number of blocks that this process has requested from devices; 0 if the kernel does not count
 * them.
 */
long blocks_read(void);
