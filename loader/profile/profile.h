/*
 * Profiles: which pages a run of a program touched, written down by --record, and brought in
 * before entry by --profile. The format is in docs/profiles.md.
 */
#ifndef LOADER_PROFILE_H
#define LOADER_PROFILE_H

#include "common/error.h"

#include <stddef.h>
#include <stdint.h>

struct guest;

/* Neighbouring pages that were touched in the same way. */
struct profile_run {
	uint64_t first, pages; /* page numbers, without the load bias */
	bool written;
};

struct profile {
	struct profile_run *runs;
	size_t count;
};

#define PROFILE_KEY_LENGTH    96
#define PROFILE_PATH_LENGTH   4096
#define PROFILE_BESIDE_LENGTH (PROFILE_PATH_LENGTH + 8)

/*
 * What a profile belongs to: "build-id:..." where the program has one (PT_NOTE, NT_GNU_BUILD_ID),
 * else "file:..." of its size, time and headers.
 */
void profile_key(const struct guest *guest, char key[PROFILE_KEY_LENGTH]);

/*
 * The file that an option's value means: itself, or for a directory and for "auto", the user's
 * cache, a file in there that is named after the key. With `create` the cache comes into being.
 */
bool profile_path(const struct guest *guest, const char *value, bool create,
		  char path[PROFILE_PATH_LENGTH], struct error *error);

/*
 * Reads what --profile names into guest->profile. One that belongs to another program, or to
 * another version of it, is left alone with a detail. Fails for a file that was named and is not
 * there, or is no profile.
 */
bool profile_read(struct guest *guest, struct error *error);

/* Brings the profile's pages in, in as few calls as possible. What fails is left to the kernel. */
void profile_apply(const struct guest *guest);

/* Makes sure that --record's file can be written when the program is over. */
bool record_prepare(struct guest *guest, struct error *error);

/* Where the profile is written before it takes the place of an older one. */
void record_path_beside(const char *path, char beside[PROFILE_BESIDE_LENGTH]);

/* Writes it; the program is over, and its memory still there. Trouble is reported. */
void record_write(const struct guest *guest);

#endif
