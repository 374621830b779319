/* The files that become a process: the program, and the interpreter that it names. */
#ifndef LOADER_OBJECTS_H
#define LOADER_OBJECTS_H

#include "loader/guest.h"

/*
 * Opens the program, reads its headers, and does the same for its interpreter (PT_INTERP); then
 * checks both. The sentence about a file that cannot be loaded says what would work.
 */
bool objects_read(struct guest *guest, struct error *error);

/*
 * Makes the plan of each object, and reserves room for a position-independent one; with --plan none
 * is reserved.
 */
bool objects_plan(struct guest *guest, struct error *error);

/* Maps the objects, as their plans say. */
bool objects_map(const struct guest *guest, struct error *error);

/*
 * Called when the loader maps nothing more: gives back what was reserved and is not needed, and
 * closes the interpreter. The program's file is needed until the jump, for /proc/self/exe.
 */
void objects_finish(const struct guest *guest);

#endif
