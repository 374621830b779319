/*
 * A file that the loader writes, so that nothing it does harms the file that is there: it is
 * opened, before the program starts; begun; committed. The older file stays as it was until the new
 * one is whole and takes its place in one step; a loader that is killed on the way leaves the older
 * file alone. Host code.
 *
 * What is not a regular file - a device, a pipe, a socket - and what /dev/stdout or /dev/fd/N
 * stands for is written to as it is.
 */
#ifndef COMMON_OUTPUT_FILE_H
#define COMMON_OUTPUT_FILE_H

#include "common/error.h"

#include <stdio.h>
#include <sys/types.h>

struct output_file {
	const char *what; /* begins sentences: "the trace" */
	const char *name; /* as it was given */
	int folder;	  /* a descriptor that the next two are relative to, or AT_FDCWD */
	char *target;	  /* the file to replace or make, where all links lead; NULL: none */
	char *temporary;  /* beside it, while it is written */
	int descriptor;	  /* of what is written to as it is, above 2; 0: none */
	bool replaces;	  /* the target is there already, with */
	mode_t mode;	  /* these permissions */
	uid_t owner;	  /* and these owners */
	gid_t group;
	FILE *stream; /* between begin and commit */
	int failure;  /* errno of what failed first; 0: nothing yet */
};

/*
 * Makes sure that the file can be written, and changes nothing: refuses what open(2) for writing
 * would, or a rename. `what` must stay valid; the name need not. A FIFO is waited for until
 * somebody reads it, with a warning after a second. What is written to as it is has its descriptor
 * open from here on, close-on-exec; a process that is forked later has the descriptor, too.
 */
bool output_file_open(struct output_file *file, const char *what, const char *name,
		      struct error *error);

/*
 * A file of this name in an open folder, with this mode, whatever is there: a link is replaced, not
 * followed. The folder must stay open. What cannot be written shows when it is committed.
 */
bool output_file_open_in(struct output_file *file, const char *what, int folder, const char *name,
			 mode_t mode, struct error *error);

/* Opens file->stream for writing; NULL if not even that works. */
void output_file_begin(struct output_file *file);

/* To be called after each write: remembers why it failed. */
void output_file_note(struct output_file *file);

/*
 * Closes the file, and puts it where it belongs. If anything has failed since it was begun, the
 * older file is kept, nothing else is left, and the sentence says both.
 */
bool output_file_commit(struct output_file *file, struct error *error);

/* The same, after the program's end: the sentence is reported. */
void output_file_finish(struct output_file *file);

/* Instead of that, where its content is not to be had: reports why, and the older file is kept. */
void output_file_abandon(struct output_file *file, const struct error *why);

/* Whether a file has been abandoned, or could not be finished. */
bool output_file_missed(void);

#endif
