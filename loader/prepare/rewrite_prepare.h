/*
 * Before the jump: whether and where a program's system calls are rewritten
 * (loader/resident/pager/rewrite.h). On processors with dispatch nothing of it is compiled. Host
 * code.
 */
#pragma once

#include "loader/guest/guest.h"

/* The reason why a dynamic program cannot be intercepted: it maps its libraries itself. */
#define REWRITE_NEEDS_STATIC                                                                       \
	"system calls cannot be intercepted: on " MACHINE_NAME " that takes a static program"

/*
 * Whether all instructions of the program that make system calls can be rewritten. If not, *error
 * has the reason.
 */
bool rewrite_is_possible(const struct guest *guest, struct error *error);

/* Finds the place in the vDSO that handlers return to in a native run. */
void rewrite_find_return(const struct guest *guest);

/* Finds the texts, before a page of one is revealed. */
bool rewrite_prepare(const struct guest *guest, struct error *error);
