/* Which engine hides the program's pages. */
#ifndef LOADER_PREPARE_ENGINES_H
#define LOADER_PREPARE_ENGINES_H

#include "common/error.h"
#include "loader/resident/pager/regions.h"

#include <stdbool.h>

struct engine_choice {
	const char *name;   /* of the engine that is wanted; NULL: the best that this kernel has */
	bool can_intercept; /* system calls come to us first */
	bool fills_ahead;   /* the best is the one that fills pages cheapest */
};

/* Hides every region of the pager. */
bool engines_hide(const struct engine_choice *choice, struct pager *pager, struct error *error);

#endif
