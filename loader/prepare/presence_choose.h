/* Which mappings come into memory when. */
#ifndef LOADER_PREPARE_PRESENCE_CHOOSE_H
#define LOADER_PREPARE_PRESENCE_CHOOSE_H

#include "loader/guest.h"

/*
 * Sets the presence of each mapping, as the strategy and the options want it. Where hiding would
 * harm the program no mapping is hidden, and a warning says why. False, with the reason in *error,
 * where the command line cannot do without: --guard=require, --record.
 */
bool presence_choose(struct guest *guest, struct error *error);

#endif
