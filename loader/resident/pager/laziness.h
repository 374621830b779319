/* The end of lazy paging. */
#ifndef LOADER_RESIDENT_PAGER_LAZINESS_H
#define LOADER_RESIDENT_PAGER_LAZINESS_H

#include "loader/resident/pager/pages.h"

/* Hands all that is still hidden to the kernel's own paging. Only the first reason is kept. */
void laziness_end(struct pager *pager, enum retire_reason reason, long call);

#endif
