/* --placement: the program's data on chosen frames. */
#ifndef LOADER_PREPARE_PLACEMENT_PREPARE_H
#define LOADER_PREPARE_PLACEMENT_PREPARE_H

#include "loader/guest.h"

/*
 * Whether this kernel can place a page when it is touched; else all pages are placed before entry.
 */
bool placement_can_wait(void);

/*
 * Fills pools of frames as the options want it, and places before entry every page with
 * PRESENCE_PLACED. The rest is left to the pager, with guest->placement.
 */
bool placement_prepare(struct guest *guest, struct error *error);

#endif
