/*
 * Getting ready for the jump: what the loader calls, in the order of the calls, with the file that
 * each function is in. Host code.
 */
#ifndef LOADER_PREPARE_PREPARE_H
#define LOADER_PREPARE_PREPARE_H

#include "loader/guest.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/launch.h"
#include "loader/resident/pager/regions.h"

/*
 * presence_choose.c: sets the presence of each mapping, as the strategy and the options want it.
 * Where hiding would harm the program no mapping is hidden, and a warning says why. False, with the
 * reason in *error, where the command line cannot do without: --guard=require, --record.
 */
bool presence_choose(struct guest *guest, struct error *error);

/*
 * memory_check.c: refuses to fill pages that take more memory than is available: the kernel
 * promises more than it has, and would kill somebody for it. A small program is not looked at, nor
 * one with --populate=anyway.
 */
bool memory_suffices(const struct guest *guest, struct error *error);

/*
 * placement_prepare.c: fills pools of frames as the options want it, and places before entry every
 * page with PRESENCE_PLACED. The rest is left to the pager, with guest->placement.
 */
bool placement_prepare(struct guest *guest, struct error *error);

/*
 * order_prepare.c, for --order: puts INT3 at the first byte of each function of resident_order,
 * whose text becomes a copy in memory.
 */
bool order_prepare(const struct guest *guest, struct error *error);

/* guard_prepare.c: whether prctl(PR_SET_MM_MAP) would change /proc/self/exe for us. */
bool guard_may_change_executable(void);

/*
 * guard_prepare.c: whether resident code has something to do while the program runs: bring in
 * hidden pages, answer for /proc/self/exe where that would name the loader, or tell --explain which
 * access killed the program.
 */
bool guard_find_need(const struct guest *guest);

/*
 * guard_prepare.c: switches the guard on where system calls can be intercepted and resident code
 * needs that. Fails, with EXIT_OURS, where they cannot be and --guard=require asks for it.
 */
bool guard_prepare(const struct guest *guest, struct guard *guard, struct error *error);

/*
 * departure.c: copies the resident code to where it can run, as much of it as this start needs; the
 * launch copies the rest if it turns out to be needed. To be called before anything resident is.
 */
bool departure_fill_area(const struct guest *guest, struct launch *launch, struct error *error);

/*
 * guard_prepare.c: allocates the first thread's block, aligned to its size, and after it a page for
 * a path; nothing where no handler of ours is ever called.
 */
bool guard_prepare_thread(const struct guest *guest, struct guard *guard, struct threads *threads,
			  struct launch_thread *first, struct error *error);

/*
 * pager_prepare.c: fills the pager for the plan's hidden mappings: its tables, the engine, and the
 * one page that is there at entry. `can_intercept`: system calls come to us first.
 */
bool pager_prepare(const struct guest *guest, bool can_intercept, struct pager *pager,
		   struct error *error);

/*
 * departure.c: fills in the launch: the program's stack, its identity, what is unmapped, and the
 * departure stub for a loader that leaves nothing.
 */
bool departure_prepare(const struct guest *guest, bool can_intercept, struct launch *launch,
		       struct error *error);

#endif
