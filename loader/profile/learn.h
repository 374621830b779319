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

/*
 * Where profile_learn() has opened a userfaultfd (Linux 6.7): registers what is mapped of the
 * program's files, and closes the descriptor, of which the learner has a copy. In mappings that are
 * registered a fault brings in one page, and not those around it that are in the page cache, too.
 */
void profile_learn_exactly(const struct guest *guest);

#endif
