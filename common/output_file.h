/*
 * A file that the loader writes without harm to the file that is there. It is opened before the
 * program starts, then begun, then committed. The older file stays unchanged until the new one is
 * complete and replaces it in one step. If the loader is killed before that, the older file stays.
 * Host code.
 *
 * Devices, pipes and sockets, and the targets of /dev/stdout or /dev/fd/N, are written to directly.
 */
#pragma once

#include "common/error.h"

#include <stdio.h>
#include <sys/types.h>

struct output_file {
	const char *what; /* start of sentences: "the trace" */
	const char *name; /* name as it was given */
	int folder;	  /* the folder that `target` and `temporary` are relative to: a
			     descriptor, or AT_FDCWD */
	char *target;	  /* the file to replace or make, with all links resolved; NULL: none */
	char *temporary;  /* next to the target, while it is written */
	int descriptor;	  /* for output that is written directly, above 2; 0: none */
	bool replaces;	  /* the target exists already; its permissions and owners follow */
	mode_t mode;	  /* permissions of the existing target */
	uid_t owner;	  /* owners of the existing target */
	gid_t group;
	FILE *stream; /* between begin and commit */
	int failure;  /* errno of the first failure; 0: none yet */
};

/*
 * Checks that the file can be written, and changes nothing: refuses what open(2) for writing, or a
 * rename, would refuse. `what` must stay valid; the name need not. Waits for a FIFO's reader, with
 * a warning after a second. For output that is written directly, the descriptor is open from here
 * on, close-on-exec; a process that is forked later inherits it.
 */
bool output_file_open(struct output_file *file, const char *what, const char *name,
		      struct error *error);

/*
 * Prepares a file of this name and mode in an open folder, whatever exists there: a link is
 * replaced, not followed. The folder must stay open. If it cannot be written, committing fails.
 */
bool output_file_open_in(struct output_file *file, const char *what, int folder, const char *name,
			 mode_t mode, struct error *error);

/* Opens file->stream for writing; NULL if that fails. */
void output_file_begin(struct output_file *file);

/* Called after each write: remembers the reason of a failure. */
void output_file_note(struct output_file *file);

/*
 * Closes the file, and moves it to its name. If anything has failed since it was begun, the older
 * file is kept, nothing else is left, and the sentence says both.
 */
bool output_file_commit(struct output_file *file, struct error *error);

/* Does the same after the program's end, and reports the sentence. */
void output_file_finish(struct output_file *file);

/* Called instead, if the content cannot be obtained: reports why, and keeps the older file. */
void output_file_abandon(struct output_file *file, const struct error *why);

/* Whether a file has been abandoned, or could not be finished. */
bool output_file_missed(void);
