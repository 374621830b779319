/* Which engine hides the program's pages. */
#ifndef LOADER_PREPARE_ENGINES_H
#define LOADER_PREPARE_ENGINES_H

#include "common/error.h"
#include "loader/resident/pager/pages.h"

#include <stdbool.h>

/*
 * Hides every region of the pager: with the engine of this name, or with the best one that this
 * kernel has for NULL.
 */
bool engines_hide(const char *name, bool can_intercept, struct pager *pager, struct error *error);

/* The names that engines_hide knows, in the order in which they are tried; NULL at the end. */
extern const char *const engine_names[];

#endif
