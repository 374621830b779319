/*
 * Where a profile is kept: in a named file, or in the user's cache. The cache is a folder that is
 * opened and checked once. Its files are opened, made and replaced relative to its descriptor, so
 * that no link and no exchanged folder can lead elsewhere. Host code.
 */
#pragma once

#include "common/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PROFILE_PATH_LENGTH 4096

struct profile_place {
	char path[PROFILE_PATH_LENGTH]; /* path of the file */
	const char *name;		/* its last component; NULL: the path is as the user gave
					   it */
	/* Length of the part of the path that is the cache, which "auto" means; 0: another file. */
	size_t cache_length;
	int folder;  /* an open descriptor of the cache; -1: it does not exist */
	uid_t owner; /* the folder's owner: the effective user */
};

/*
 * Finds the file for an option's value: the file itself or, in a directory, and for "auto" in the
 * cache, a file named after the key. Fails for a cache that must not be used. A cache that does not
 * exist yet is not an error.
 */
bool profile_place_find(const char *value, const char *key, struct profile_place *place,
			struct error *error);

/* Makes the cache if it is missing, and closes it to others. Does nothing for another file. */
bool profile_place_make(struct profile_place *place, struct error *error);

/* Opens the file for reading. Returns -1 with errno on failure. */
int profile_place_open(const struct profile_place *place);

void profile_place_close(struct profile_place *place);
