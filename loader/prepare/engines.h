/* Which engine hides the program's pages. */
#ifndef LOADER_PREPARE_ENGINES_H
#define LOADER_PREPARE_ENGINES_H

#include "common/error.h"
#include "loader/resident/pager/pages.h"

#include <stdbool.h>

/*
 * Hides every region of the pager: with the engine of this name, one of ENGINE_NAMES (options.def),
 * or with the best one that this kernel has for NULL.
 */
bool engines_hide(const char *name, bool can_intercept, struct pager *pager, struct error *error);

#endif
