/* Setting up the pager before the jump. */
#ifndef LOADER_PREPARE_PAGER_PREPARE_H
#define LOADER_PREPARE_PAGER_PREPARE_H

#include "loader/guest.h"

/*
 * Prepares the pager for the plan's hidden mappings: its tables, the guard, the engine, and the
 * one page that is there at entry.
 */
bool pager_prepare(const struct guest *guest, struct error *error);

#endif
