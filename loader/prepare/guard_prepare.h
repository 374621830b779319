/* Setting up the interception of system calls before the jump. */
#ifndef LOADER_PREPARE_GUARD_PREPARE_H
#define LOADER_PREPARE_GUARD_PREPARE_H

#include "loader/guest.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/launch.h"

/* Whether prctl(PR_SET_MM_MAP) would change /proc/self/exe for us. */
bool guard_may_change_executable(void);

/*
 * Whether resident code has something to do while the program runs: bring in hidden pages, answer
 * for /proc/self/exe where that would name the loader, or tell --explain which access killed the
 * program.
 */
bool guard_find_need(const struct guest *guest);

/* Whether system calls can be intercepted. If not, *error says why, and what it takes. */
bool guard_can_intercept(const struct guest *guest, struct error *error);

/*
 * Switches the guard on where system calls can be intercepted and resident code needs that. Fails,
 * with EXIT_OURS, where they cannot be and --guard=require asks for it.
 */
bool guard_prepare(const struct guest *guest, struct guard *guard, struct error *error);

/*
 * Allocates the first thread's block, aligned to its size, and after it a page for a path; nothing
 * where no handler of ours is ever called.
 */
bool guard_prepare_thread(const struct guest *guest, struct guard *guard, struct threads *threads,
			  struct launch_thread *first, struct error *error);

#endif
