/* What a held program used of files, from its maps, its page tables and its memory. */
#ifndef LOADER_PROFILE_SEEN_H
#define LOADER_PROFILE_SEEN_H

#include "loader/profile/files/files.h"
#include "loader/profile/local_file.h"

#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>

/* A mapping of the program. */
struct seen_mapping {
	uint64_t start, end;
	uint64_t offset;
	const char *path; /* "" for memory without a file */
	bool writable;
};

struct seen {
	int pagemap; /* descriptors of /proc/PID/ of the holder's */
	int holder;  /* its process ID */
	struct seen_mapping *mappings;
	size_t count;
	/* When the program began: what it has read was read later. */
	struct timespec began;
	const char *program, *interpreter; /* their paths as maps has them; NULL: there is none */
	struct local_mounts mounts;
	struct known_files files;
};

/* Reads maps, and opens what the other functions read. False if that is not permitted. */
bool seen_begin(struct seen *seen);

/* Adds every file that is mapped, with the pages that are in the page tables. */
void seen_add_mapped(struct seen *seen);

/* Adds files that are only read: those whose names stand in the program's memory. */
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
