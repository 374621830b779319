/*
 * --profile=auto: which files a program uses is learned from a run as usual, and kept for the next
 * start.
 */
#ifndef LOADER_PROFILE_LEARN_H
#define LOADER_PROFILE_LEARN_H

#include "loader/guest.h"

/* Reads ahead what a profile knows of files. After profile_read(). */
void profile_read_ahead(struct guest *guest);

/*
 * Where nothing is known yet, or something was not in memory: starts what learns from this run.
 * Before anything of the program is mapped: the learner is a copy of the process. Nothing that
 * goes wrong there concerns the program.
 */
void profile_learn(struct guest *guest);

#endif
