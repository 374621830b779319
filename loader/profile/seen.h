/*
 * What a program used of files, found from its maps, its page tables and its memory. Data that
 * disappears with the memory is collected first; that takes a few milliseconds at most. Files are
 * looked up afterwards.
 */
#pragma once

#include "loader/hold/hold.h"
#include "loader/files/files.h"
#include "loader/profile/local_file.h"
#include "loader/profile/names.h"

#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>

/* A mapping of the program. */
struct seen_mapping {
	uint64_t start, end; /* addresses */
	uint64_t offset;     /* offset in the file, bytes */
	const char *path;    /* "" for memory without a file */
	bool writable;
};

/* Pages that are in memory without a gap: a range of addresses. */
struct seen_run {
	uint64_t start, end;
};

struct seen {
	struct seen_mapping *mappings;
	size_t count;
	char *paths; /* text of the mappings' paths */
	size_t paths_length;
	struct seen_run *runs; /* runs of file mappings, in the order of addresses */
	size_t run_count;
	struct names names; /* names found in memory without a file */
	uint64_t next;	    /* the address from which the next look continues the search */
	/* When the program started: files that it has read were read later. */
	struct timespec began;
	const char *program, *interpreter; /* their paths as in maps; NULL: there is none */
	/*
	 * The path of the profile, or NULL. The loader has left it below the program's stack, and
	 * has read that file, so it looks like one that the program has read.
	 */
	const char *own;
	/*
	 * By this, limits of processor time are multiplied. The caller sets 1, or more if the user
	 * waits for the result. The first look multiplies it by names_slowness().
	 */
	unsigned patience;
	struct local_mounts mounts;
	struct known_files files;
};

/* When memory is looked at: while the program runs; after its end, by the watcher or the loader. */
enum look { LOOK_BETWEEN, LOOK_LAST, LOOK_OF_WATCHING_LOADER };

/*
 * Reads maps and page tables, and searches memory for file names, for a limited time. A later look
 * replaces the results of an earlier one, except names: these are kept, and the search continues
 * where it stopped. If nothing can be read any more, the earlier results stay.
 */
void seen_look(struct seen *seen, const struct held *held, enum look which);

/*
 * Adds every mapped file, with the pages in the page tables. Called first. Returns false if the
 * mounts are not known.
 */
bool seen_add_mapped(struct seen *seen);

/* Adds files that are only read: their names were found in the program's memory. */
void seen_add_read(struct seen *seen);

/*
 * An O_PATH descriptor of a file that may be read ahead; its status, and its file system's. -1 for
 * any other file. Looks up only names on local file systems.
 */
int seen_find_wanted(struct seen *seen, const char *path, struct stat *status,
		     struct statfs *system);

/*
 * Adds a file with this status and no ranges yet. Returns false if there is no room, or if the file
 * has been added already, under this name or another.
 */
bool seen_add_file(struct seen *seen, enum file_role role, const char *path,
		   const struct stat *status);
