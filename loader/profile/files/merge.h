/* What was known of a program's files, and what another run used. Pure. */
#ifndef LOADER_PROFILE_FILES_MERGE_H
#define LOADER_PROFILE_FILES_MERGE_H

#include "loader/profile/files/files.h"

/* Ranges that so many learned runs have not used fall out. */
#define KEPT_RUNS 4

/* A gap that is shorter is read, too: a request more costs more than such a piece. */
#define GAP_BYTES (64 * 1024)

/*
 * An empty set with room for as many files and ranges as there may be; its pages come when they
 * are written. False if there is no memory.
 */
bool files_make(struct known_files *files);

/* Adds a file, to which the ranges belong that are added next. False if there is no room. */
bool files_add(struct known_files *files, const struct known_file *file);

/* Adds a range, in the order of their starts; one that is near the last one becomes a part of it,
 * used as late as both. */
void files_add_range(struct known_files *files, struct file_range range);

/* Takes the last file away if it has no ranges. */
void files_end(struct known_files *files);

/*
 * The result, in room that files_make() made: all files of `seen`, in their order, with what
 * `known` has of the same versions; then what else `known` has. Ranges that were seen count as used
 * by the run `learned`, which is known->learned + 1; others keep their number until they are too
 * old.
 */
void files_merge(const struct known_files *known, const struct known_files *seen,
		 struct known_files *result);

#endif
