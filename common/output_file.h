/*
 * A file that the loader writes, so that nothing it does harms what is there: opened, before the
 * program starts; begun; committed. What is there stays as it was until the new file is whole and
 * takes its place in one step; whoever is killed on the way leaves it alone. Host code.
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
 * Makes sure that it can be written, and changes nothing: refuses what open(2) for writing would,
 * or a rename. `what` must stay valid; the name need not. A FIFO is waited for until somebody reads
 * it, with a warning after a second. Of what is written to as it is the descriptor is open from
 * here on, close-on-exec; a process that is forked later has it, too.
 */
bool output_file_open(struct output_file *file, const char *what, const char *name,
		      struct error *error);

/* file->stream is there to be written from here on; NULL if not even that works. */
void output_file_begin(struct output_file *file);

/* To be called behind what was written: remembers why that failed. */
void output_file_note(struct output_file *file);

/*
 * Closes it, and puts it where it belongs. If anything has failed since it was begun, what was
 * there is kept, nothing else is left, and the sentence says both.
 */
bool output_file_commit(struct output_file *file, struct error *error);

#endif
