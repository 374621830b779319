/*
 * The debug mode --verify: compares the pager's records with what the kernel says about the same
 * memory, and ends the process with a sentence and status 125 where they differ.
 */
#ifndef LOADER_RESIDENT_PAGER_VERIFY_H
#define LOADER_RESIDENT_PAGER_VERIFY_H

#include "loader/resident/pager/pages.h"

void verify_pages(struct pager *pager);
void verify_pages_locked(const struct pager *pager); /* under pager->lock */

#endif
