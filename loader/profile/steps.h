/*
 * The steps for --profile and --record, in the order of the calls. The comment of each names its
 * file. --profile=auto learns from an ordinary run which files a program uses, and keeps that for
 * the next start. Host code.
 */
#pragma once

#include "loader/guest/guest.h"
#include "loader/hold/hold.h"

/*
 * profile.c: reads the profile that --profile or --learn names into guest->profile. A profile of
 * another program or another version is not used, and a detail reports that. Fails for a named file
 * that is missing or is not a profile.
 */
bool profile_read(struct guest *guest, struct error *error);

/* learn.c: reads ahead the file parts that the profile lists. */
void profile_read_ahead(struct guest *guest);

/*
 * learn.c: starts the watcher if this run is worth learning from: no profile exists yet, or some
 * data was not in memory. Called before any of the program is mapped, because the watcher is a copy
 * of the process. Failures never affect the program.
 */
void profile_learn(struct guest *guest);

/* record.c: determines where --record writes, and to which program the profile will belong. */
bool record_prepare(struct guest *guest, struct error *error);

/*
 * learn.c: for a run that is learned from, opens a userfaultfd (Linux 6.7) and registers the
 * mappings of the program's files. There a fault brings in one page only, without the cached pages
 * around it. This lasts as long as some process keeps guest->exact open.
 */
void profile_learn_exactly(struct guest *guest);

/* learn.c, called just before the jump: starts the watching. */
void profile_learn_begin(const struct guest *guest);

/*
 * learn.c: learns from the held memory, in the watching loader, and writes the profile. A second
 * call has no effect.
 */
void profile_learn_end(const struct guest *guest, const struct held *held);

/*
 * profile_apply.c: brings in the profile's pages before entry, in as few calls as possible. What
 * fails is left to the kernel.
 */
void profile_apply(const struct guest *guest);

/*
 * record.c: writes guest->record, and reports failures. The program is over, and its memory is
 * held.
 */
void record_write(const struct guest *guest, const struct held *held);
