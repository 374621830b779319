/* From the words of the command line to rules with filled pools. */
#ifndef LOADER_PREPARE_PLACEMENT_RULES_H
#define LOADER_PREPARE_PLACEMENT_RULES_H

#include "loader/guest.h"

/*
 * Makes the rules, in memory of their own: symbols are looked up, layouts of earlier runs read,
 * pools filled. `forks`: see pool_fill().
 */
bool placement_rules_make(const struct guest *guest, bool forks, struct placement **placement,
			  struct error *error);

#endif
