/*
 * What an administrator allows a process, as far as the pager asks for it: each is read from the
 * kernel once, when it first matters. Async-signal-safe; called under the pager's lock.
 */
#ifndef LOADER_RESIDENT_PAGER_SETTINGS_H
#define LOADER_RESIDENT_PAGER_SETTINGS_H

#include "loader/resident/pager/pages.h"

/*
 * Whether so many reveals may have split a mapping: each can add two, and the program wants some of
 * its own. A quarter of vm.max_map_count, that is half of the mappings there may be.
 */
bool settings_allow_splits(struct pager *pager, unsigned splits);

#endif
