/* The files that become a process: the program, and the interpreter that it names. */
#pragma once

#include "loader/guest/guest.h"

/*
 * Opens the program, reads its headers, does the same for its interpreter (PT_INTERP), and checks
 * both. The error for a file that cannot be loaded names a remedy.
 */
bool objects_read(struct guest *guest, struct error *error);

/*
 * Makes the plan of each object, and reserves address space for position-independent ones; --plan
 * reserves none.
 */
bool objects_plan(struct guest *guest, struct error *error);

/* Maps the objects according to their plans. */
bool objects_map(const struct guest *guest, struct error *error);

/*
 * Called after the loader's last mapping: unmaps what was reserved and is not needed, and closes
 * the interpreter. The program's file stays open until the jump, for /proc/self/exe.
 */
void objects_finish(const struct guest *guest);
