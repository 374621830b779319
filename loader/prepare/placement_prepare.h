/* --placement: the program's data on chosen frames. */
#ifndef LOADER_PREPARE_PLACEMENT_PREPARE_H
#define LOADER_PREPARE_PLACEMENT_PREPARE_H

#include "loader/guest.h"

/* Whether pages are to be placed at all, and those of this mapping. Of the program alone. */
bool placement_is_wanted(const struct options *options);
bool placement_is_of(const struct options *options, const struct plan_mapping *mapping);

/* Whether this kernel can place a page when it is touched: else all is done before entry. */
bool placement_can_wait(void);

/*
 * Fills pools of frames as the options want it, and places what is to be placed before entry. The
 * rest is left to the pager, with guest->placement.
 */
bool placement_prepare(struct guest *guest, struct error *error);

#endif
