/*
 * The pager serves the SIGSEGV or SIGBUS that a touch of a hidden page raises: it brings in that
 * page and those that the policy predicts. The handlers in loader/resident/signals call it.
 */
#ifndef LOADER_RESIDENT_PAGER_PAGER_H
#define LOADER_RESIDENT_PAGER_PAGER_H

#include "loader/resident/arch/fault.h"
#include "loader/resident/pager/pages.h"

/*
 * A touch of memory. True if it is worth doing again: it was about a hidden page, which is there
 * now. False if the fault is the program's own.
 */
bool pager_serve(struct pager *pager, const struct fault *fault);

#endif
