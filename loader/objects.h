/* The files that become a process: the program, and the interpreter that it names. */
#ifndef LOADER_OBJECTS_H
#define LOADER_OBJECTS_H

#include "loader/guest.h"

/*
 * Opens the program, reads its headers, and does the same for its interpreter (PT_INTERP); then
 * checks both. Says what would work where they cannot be loaded.
 */
bool objects_read(struct guest *guest, struct error *error);

/*
 * Makes the plan of each, and reserves room for what is position-independent; with --plan none is
 * reserved.
 */
bool objects_plan(struct guest *guest, struct error *error);

/* Maps them, as their plans say. */
bool objects_map(const struct guest *guest, struct error *error);

/*
 * When the loader maps nothing more: gives back what was reserved and is not needed, and closes the
 * interpreter. The program's file is needed until the jump, for /proc/self/exe.
 */
void objects_finish(const struct guest *guest);

#endif
