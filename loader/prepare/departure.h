/* Getting ready to leave: the program's stack and identity, and what becomes of the loader. */
#ifndef LOADER_PREPARE_DEPARTURE_H
#define LOADER_PREPARE_DEPARTURE_H

#include "loader/guest.h"
#include "loader/resident/launch.h"

/*
 * Copies the resident code to where it can run, as much of it as this start needs; the launch
 * copies the rest if it turns out to be needed. To be called before anything resident is.
 */
bool departure_fill_area(const struct guest *guest, struct launch *launch, struct error *error);

/*
 * Fills in the launch: the program's stack, its identity, what is unmapped, and the departure stub
 * for a loader that leaves nothing. `can_intercept`: system calls come to us first.
 */
bool departure_prepare(const struct guest *guest, bool can_intercept, struct launch *launch,
		       struct error *error);

#endif
