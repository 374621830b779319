/* Which engine hides the program's pages. */
#ifndef LOADER_PREPARE_ENGINES_H
#define LOADER_PREPARE_ENGINES_H

#include "common/error.h"
#include "loader/resident/pager/regions.h"

#include <stdbool.h>

/*
 * Hides every region of the pager with the engine of this name; NULL: the best that this kernel
 * has, which is userfaultfd for a loader that fills pages ahead. `can_intercept`: system calls come
 * to us first.
 */
bool engines_hide(struct pager *pager, const char *name, bool fills_ahead, bool can_intercept,
		  struct error *error);

#endif
