/*
 * Preparation of the jump: the functions that the loader calls, in the order of the calls. The
 * comment of each names its file. Host code.
 */
#pragma once

#include "loader/guest/guest.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/launch.h"
#include "loader/resident/pager/regions.h"

/*
 * presence_choose.c: sets the presence of each mapping according to the strategy and the options.
 * If hiding would harm the program, no mapping is hidden, and a warning gives the reason. Returns
 * false, with the reason in *error, if the command line requires hiding: --guard=require, --record.
 */
bool presence_choose(struct guest *guest, struct error *error);

/*
 * memory_check.c: whether the limit on a file's length permits a file in memory of `length` bytes.
 * The kernel sends SIGXFSZ at a write beyond that limit.
 */
bool memory_check_file(uint64_t length);

/*
 * memory_check.c: refuses to fill pages that take more memory than is available. The kernel
 * promises more memory than it has, and would kill a process when it runs out. Small programs, and
 * programs with --populate=anyway, are not checked.
 */
bool memory_suffices(const struct guest *guest, struct error *error);

/*
 * placement_prepare.c: fills pools of frames according to the options, and places every page with
 * PRESENCE_PLACED before entry. The pager places the rest, with guest->placement.
 */
bool placement_prepare(struct guest *guest, struct error *error);

/*
 * order_prepare.c, for --order: turns the text of resident_order into a copy in memory, with
 * breakpoints at the first byte of each function.
 */
bool order_prepare(const struct guest *guest, struct error *error);

/* guard_prepare.c: whether prctl(PR_SET_MM_MAP) would change /proc/self/exe for this process. */
bool guard_may_change_executable(void);

/*
 * guard_prepare.c: whether resident code has something to do while the program runs. It may have to
 * bring in hidden pages, answer calls for /proc/self/exe if that would name the loader, or report
 * to --explain which access killed the program.
 */
bool guard_find_need(const struct guest *guest);

/*
 * guard_prepare.c: activates the guard if resident code needs it and system calls can be
 * intercepted. Fails with EXIT_OURS if they cannot be and --guard=require was given.
 */
bool guard_prepare(const struct guest *guest, struct guard *guard, struct error *error);

/*
 * departure.c: copies the resident code that this start needs to where it can run. The launch
 * copies the rest if it turns out to be needed. Called before anything else that is resident.
 */
bool departure_fill_area(const struct guest *guest, struct launch *launch, struct error *error);

/*
 * guard_prepare.c: allocates the first thread's block, aligned to its size, and a page for a path
 * behind it. Allocates nothing if no handler of the loader will be called.
 */
bool guard_prepare_thread(const struct guest *guest, struct guard *guard, struct threads *threads,
			  struct launch_thread *first, struct error *error);

/*
 * pager_prepare.c: fills in the pager for the plan's hidden mappings: its tables, the engine, and
 * the one page that is present at entry. `can_intercept`: system calls are intercepted.
 */
bool pager_prepare(const struct guest *guest, bool can_intercept, struct pager *pager,
		   struct error *error);

/*
 * departure.c: fills in the launch: the program's stack and identity, what is unmapped, and the
 * departure stub for a loader that leaves nothing.
 */
bool departure_prepare(const struct guest *guest, bool can_intercept, struct launch *launch,
		       struct error *error);
