/*
 * What the loader calls for --profile and --record, in the order of the calls, with the file that
 * each function is in. --profile=auto: which files a program uses is learned from a run as usual,
 * and kept for the next start. Host code.
 */
#ifndef LOADER_PROFILE_STEPS_H
#define LOADER_PROFILE_STEPS_H

#include "loader/guest.h"
#include "loader/hold/hold.h"

/*
 * profile.c: reads what --profile or --learn names into guest->profile. One that belongs to another
 * program, or to another version of it, is left alone with a detail. Fails for a file that was
 * named and is not there, or is no profile.
 */
bool profile_read(struct guest *guest, struct error *error);

/* learn.c: reads ahead what a profile knows of files. */
void profile_read_ahead(struct guest *guest);

/*
 * learn.c: where nothing is known yet, or something was not in memory: decides that this run is
 * learned from, and starts the watcher. Before anything of the program is mapped: the watcher is a
 * copy of the process. Trouble there never concerns the program.
 */
void profile_learn(struct guest *guest);

/* record.c: finds out where --record writes, and to which program the profile will belong. */
bool record_prepare(struct guest *guest, struct error *error);

/*
 * learn.c: for a run that is learned from, opens a userfaultfd (Linux 6.7), and registers what is
 * mapped of the program's files. There a fault brings in one page, and not those around it that are
 * in the page cache, too. As long as guest->exact is open in some process.
 */
void profile_learn_exactly(struct guest *guest);

/* learn.c, right before the jump: from here on the watcher watches. */
void profile_learn_begin(const struct guest *guest);

/*
 * learn.c: in the loader that watches, learns from the memory that is held, and writes the profile.
 * Without effect the second time.
 */
void profile_learn_end(const struct guest *guest, const struct held *held);

/*
 * profile_apply.c: brings the profile's pages in before entry, in as few calls as possible. What
 * fails is left to the kernel.
 */
void profile_apply(const struct guest *guest);

/*
 * record.c: writes guest->record; the program is over, and its memory is held. Trouble is reported.
 */
void record_write(const struct guest *guest, const struct held *held);

#endif
