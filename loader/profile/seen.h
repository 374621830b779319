/*
 * What a program used of files, from its maps, its page tables and its memory. First everything is
 * collected that is gone with the memory; that takes a few milliseconds at most. Looking up files
 * comes afterwards.
 */
#ifndef LOADER_PROFILE_SEEN_H
#define LOADER_PROFILE_SEEN_H

#include "loader/hold/hold.h"
#include "loader/profile/files/files.h"
#include "loader/profile/local_file.h"
#include "loader/profile/names.h"

#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>

/* A mapping of the program. */
struct seen_mapping {
	uint64_t start, end; /* addresses */
	uint64_t offset;     /* in the file, bytes */
	const char *path;    /* "" for memory without a file */
	bool writable;
};

/* Pages that are in memory one after the other: addresses. */
struct seen_run {
	uint64_t start, end;
};

struct seen {
	struct seen_mapping *mappings;
	size_t count;
	char *paths; /* the text of theirs */
	size_t paths_length;
	struct seen_run *runs; /* of mappings of files, in the order of addresses */
	size_t run_count;
	struct names names; /* in memory without a file */
	uint64_t next;	    /* the address from which the next look searches */
	/* When the program began: what it has read was read later. */
	struct timespec began;
	const char *program, *interpreter; /* their paths as maps has them; NULL: there is none */
	/*
	 * The path of the profile, or NULL. The loader has left it below the program's stack, and
	 * has read that file, so it looks like one that the program has read.
	 */
	const char *own;
	struct local_mounts mounts;
	struct known_files files;
};

/*
 * Reads maps and page tables, and searches memory for names of files; the search takes at most so
 * much processor time (ns). A later look takes the place of an earlier one, but names that were
 * found are kept, and the search goes on where it has stopped. Where there is nothing to read any
 * more, what an earlier look has seen stays.
 */
void seen_look(struct seen *seen, const struct held *held, uint64_t most);

/*
 * Adds every file that is mapped, with the pages that are in the page tables. First: false if the
 * mounts are not known.
 */
bool seen_add_mapped(struct seen *seen);

/* Adds files that are only read: those whose names stood in the program's memory. */
void seen_add_read(struct seen *seen);

/*
 * An O_PATH descriptor of a file that is one to be read ahead; its status, and its file system's.
 * -1 for any other. Looks up no name that is not on local file systems.
 */
int seen_find_wanted(struct seen *seen, const char *path, struct stat *status,
		     struct statfs *system);

/*
 * Adds a file of this status, with no ranges yet. False if there is no room, or the file has been
 * added already, under this name or another.
 */
bool seen_add_file(struct seen *seen, enum file_role role, const char *path,
		   const struct stat *status);

#endif
