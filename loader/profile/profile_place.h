/*
 * Where a profile is kept: in a file that was named, or in the user's cache. The cache is a folder
 * that is opened and checked once, and its files are opened, made and replaced by its descriptor:
 * no link and no exchanged folder leads elsewhere. Host code.
 */
#ifndef LOADER_PROFILE_PROFILE_PLACE_H
#define LOADER_PROFILE_PROFILE_PLACE_H

#include "common/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PROFILE_PATH_LENGTH 4096

struct profile_place {
	char path[PROFILE_PATH_LENGTH]; /* of the file */
	const char *name;		/* its last component; NULL: the path is as it was named */
	/* So much of the path is the cache, which "auto" stands for; 0: another file was named. */
	size_t cache_length;
	int folder;  /* an open descriptor of the cache; -1: it is not there */
	uid_t owner; /* of the folder: the effective user */
};

/*
 * Finds what an option's value means: a file, or in a directory, and for "auto" in the cache, a
 * file that is named after the key. Fails for a cache that may not be used; one that is not there
 * yet is no error.
 */
bool profile_place_find(const char *value, const char *key, struct profile_place *place,
			struct error *error);

/* Makes the cache where it is not there, and closes it to others. For another file: does nothing.
 */
bool profile_place_make(struct profile_place *place, struct error *error);

/* Opens the file for reading. -1 with errno. */
int profile_place_open(const struct profile_place *place);

void profile_place_close(struct profile_place *place);

#endif
