/* The choice of the engine that hides pages. Host code. */
#pragma once

#include "loader/resident/pager/regions.h"
#include "common/error.h"

#include <stdbool.h>

/*
 * Hides every region of the pager with the engine of this name. NULL selects the best engine that
 * this kernel has; for a loader that fills pages ahead that is userfaultfd. `can_intercept`: system
 * calls are intercepted.
 */
bool engines_hide(struct pager *pager, const char *name, bool fills_ahead, bool can_intercept,
		  struct error *error);
