/* page-profile: what its commands share. */
#pragma once

#include "common/error.h"
#include "loader/profile/profile_text.h"

#include <stdio.h>

/* A profile that was read from a file. */
struct profile_file {
	const char *name; /* as it was given */
	struct profile_text text;
};

/*
 * Reads it; its memory is kept until the process ends. Fails for a file that is no whole profile.
 * `trusted`: others may not be able to write to it, because its files are going to be opened.
 */
bool profile_file_read(const char *name, bool trusted, struct profile_file *file,
		       struct error *error);

/* Profiles, which begin as none. */
struct profile_list {
	struct profile_file *profiles;
	size_t count;
};

/* folder.c: adds the profile of this file. Fails for a file that is no profile. */
bool profile_list_add(struct profile_list *list, const char *name, bool trusted,
		      struct error *error);

/*
 * folder.c: adds the profiles that these names stand for: of files, of folders, or of programs in
 * the cache. Fails for a file that is no profile, and for a name without a profile.
 */
bool profile_list_read(char **names, size_t count, bool trusted, struct profile_list *list,
		       struct error *error);

uint64_t all_bytes(const struct known_files *files);

/* The commands. */
void show_print(const struct profile_file *profile, FILE *out);
void show_plot(const struct profile_file *profile, FILE *out);
bool merge_write(const struct profile_file *profiles, size_t count, const char *output,
		 struct error *error);
void warm_all(const struct profile_file *profiles, size_t count);
bool export_print(const struct profile_file *profiles, size_t count, const char *format, FILE *out,
		  struct error *error);

/*
 * cache.c: adds the profiles of a program in the cache. The name is the program's path, its last
 * component, or the name of the profile's file. Fails if there is none.
 */
bool cache_add(const char *name, bool trusted, struct profile_list *list, struct error *error);

bool cache_list(struct error *error);
bool cache_forget(char **names, size_t count, bool all, struct error *error);

/*
 * Becomes a loader that runs the command and writes `output`; `name` begins its messages. Returns
 * only if that cannot be: the status to exit with; the reason has been reported.
 */
int learn_run(const char *name, char **command, size_t count, const char *output);

#define EXPORT_FORMATS "json, csv, nydus, soci and estargz"
