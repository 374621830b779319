/* Setting up the pager before the jump. */
#ifndef LOADER_PREPARE_PAGER_PREPARE_H
#define LOADER_PREPARE_PAGER_PREPARE_H

#include "loader/guest.h"
#include "loader/resident/pager/regions.h"

/*
 * Fills the pager for the plan's hidden mappings: its tables, the engine, and the one page that is
 * there at entry. `can_intercept`: system calls come to us first.
 */
bool pager_prepare(const struct guest *guest, bool can_intercept, struct pager *pager,
		   struct error *error);

#endif
