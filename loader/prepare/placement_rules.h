/* The rules of --placement, from the command line. Host code. */
#pragma once

#include "loader/guest/guest.h"

/*
 * Makes the rules from the command line, in memory of their own. It looks up symbols, reads layouts
 * of earlier runs, and fills pools. `forks`: see pool_fill().
 */
bool placement_rules_make(const struct guest *guest, bool forks, struct placement **placement,
			  struct error *error);
