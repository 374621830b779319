/*
 * What the loader calls for --profile and --record, in the order of the calls, with the file that
 * each function is in. --profile=auto: which files a program uses is learned from a run as usual,
 * and kept for the next start. Host code.
 */
#ifndef LOADER_PROFILE_STEPS_H
#define LOADER_PROFILE_STEPS_H

#include "loader/guest.h"

/*
 * profile.c: reads what --profile names into guest->profile. One that belongs to another program,
 * or to another version of it, is left alone with a detail. Fails for a file that was named and is
 * not there, or is no profile.
 */
bool profile_read(struct guest *guest, struct error *error);

/* learn.c: reads ahead what a profile knows of files. */
void profile_read_ahead(struct guest *guest);

/*
 * learn.c: where nothing is known yet, or something was not in memory: starts what learns from this
 * run. Before anything of the program is mapped: the learner is a copy of the process. Nothing that
 * goes wrong there concerns the program.
 */
void profile_learn(struct guest *guest);

/* record.c: finds out where --record writes, and to which program the profile will belong. */
bool record_prepare(struct guest *guest, struct error *error);

/*
 * learn.c: where profile_learn() has opened a userfaultfd (Linux 6.7): registers what is mapped of
 * the program's files, and closes the descriptor, of which the learner has a copy. In mappings that
 * are registered a fault brings in one page, and not those around it that are in the page cache,
 * too.
 */
void profile_learn_exactly(const struct guest *guest);

/*
 * profile_apply.c: brings the profile's pages in before entry, in as few calls as possible. What
 * fails is left to the kernel.
 */
void profile_apply(const struct guest *guest);

/*
 * record.c: writes guest->record; the program is over, and its memory still there. Trouble is
 * reported.
 */
void record_write(const struct guest *guest);

#endif
