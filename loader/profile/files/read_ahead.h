/* Reading ahead: the kernel is asked for what a program is going to need of its files. */
#ifndef LOADER_PROFILE_FILES_READ_AHEAD_H
#define LOADER_PROFILE_FILES_READ_AHEAD_H

#include "loader/profile/files/files.h"

/* Descriptors of files that are open already; -1: they are opened by their paths. */
struct opened_files {
	int program, interpreter;
};

struct read_ahead {
	bool was_cold;	     /* some of the files' bytes were not in memory */
	uint64_t bytes;	     /* asked for, those that were in memory already included */
	uint64_t requests;   /* calls for that */
	size_t used;	     /* files */
	size_t skipped;	     /* files that are gone, changed, or not to be read */
	uint64_t bytes_most; /* the bound: memory_usable(), and a constant */
};

/*
 * Asks for the ranges of all files, and waits for no data. Where a sample of them is in memory
 * nothing more is done, unless `always`. Details tell which files are skipped.
 */
struct read_ahead read_ahead(const struct known_files *files, const struct opened_files *opened,
			     bool always);

/*
 * Opens a file to read ahead from it: neither a device nor a pipe nor another version of the file,
 * and without a trace in its times where that is allowed. -1 for any other file.
 */
int read_ahead_open(const struct known_file *file);

/*
 * Opens a file for reading, without a trace in its times where that is allowed, and without
 * waiting; relative to a folder as openat(2), and with more flags. -1 with errno.
 */
int file_open_unnoticed(int folder, const char *path, int more);

/* How many bytes of memory may be used without harm: a quarter of those that are available. */
uint64_t memory_usable(void);

enum residency { RESIDENT, NOT_RESIDENT, RESIDENCY_UNKNOWN };

/*
 * Whether a byte of a file is in memory. Any reader of the file may ask. RESIDENT is also what the
 * question itself has just brought in, where the device was done at once: then blocks_read() has
 * grown. Waits for the device only on file systems that have no read without waiting.
 */
enum residency residency_of(int descriptor, uint64_t offset);

/* How many blocks this process has asked devices for; 0 on a kernel that does not count them. */
long blocks_read(void);

#endif
