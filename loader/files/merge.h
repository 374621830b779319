/* Merges what was known of a program's files with what another run used. Pure. */
#pragma once

#include "loader/files/files.h"

/* Ranges that this many learned runs have not used are dropped. */
#define KEPT_RUNS 4

/*
 * A shorter gap is read, too: one more request takes as long as reading some pages. On the device
 * of docs/measuring.md it takes as long as three.
 */
#define GAP_BYTES (16 * 1024)

/*
 * Makes an empty set with room for the maximum number of files and ranges; its pages take memory
 * when written. Returns false if there is no memory.
 */
bool files_make(struct known_files *files);

/* Adds a file; ranges that are added next belong to it. Returns false if there is no room. */
bool files_add(struct known_files *files, const struct known_file *file);

/*
 * Adds a range, in the order of their starts. A range near the last one is merged with it, and
 * counts as used when the later of the two was.
 */
void files_add_range(struct known_files *files, struct file_range range);

/* Removes the last file if it has no ranges. */
void files_end(struct known_files *files);

/*
 * Makes the result, in memory from files_make(): all files of `seen`, in their order, together with
 * what `known` has of the same versions; then the other files of `known`. Ranges that were seen are
 * marked with the run `learned`, which is known->learned + 1. Other ranges keep their number until
 * they are too old.
 */
void files_merge(const struct known_files *known, const struct known_files *seen,
		 struct known_files *result);
