/* The last instructions of a loader that leaves nothing else behind. */
#ifndef LOADER_PREPARE_DEPARTURE_STUB_H
#define LOADER_PREPARE_DEPARTURE_STUB_H

#include "loader/guest.h"
#include "loader/resident/launch.h"

/*
 * Puts the stub that unmaps launch->loader where the program's text has room for it.
 * Without such room part of the loader stays, and a detail says so. Fails when the text cannot be
 * made executable again.
 */
bool departure_stub_prepare(const struct guest *guest, struct launch *launch, struct error *error);

#endif
