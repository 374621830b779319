/*
 * --library-path: the interpreter finds the list in LD_LIBRARY_PATH, and the program, and so what
 * it starts, find the environment without it.
 */
#ifndef LOADER_PREPARE_LIBRARY_PATH_H
#define LOADER_PREPARE_LIBRARY_PATH_H

#include "loader/guest.h"
#include "loader/resident/launch.h"

/* Words that it takes on the stack, between the environment's table and the auxiliary vector. */
#define LIBRARY_PATH_ROOM 2

/*
 * Fills in launch->words, where there is such an option, and what the program is going to see of
 * them. `bytes` is the written stack, launch->stack its measures.
 */
bool library_path_prepare(const struct guest *guest, struct launch *launch, uint8_t *bytes,
			  struct error *error);

#endif
