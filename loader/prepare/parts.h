/* Functions that the steps of prepare.h share. The comment of each names its file. */
#pragma once

#include "loader/guest.h"
#include "loader/resident/launch.h"
#include "loader/resident/pager/regions.h"

/*
 * guard_prepare.c: whether system calls can be intercepted. If not, *error has the reason and the
 * remedy.
 */
bool guard_can_intercept(const struct guest *guest, struct error *error);

/*
 * placement_prepare.c: whether this kernel can place a page when it is touched. If not, all pages
 * are placed before entry.
 */
bool placement_can_wait(void);

/*
 * placement_rules.c: makes the rules from the command line, in memory of their own. It looks up
 * symbols, reads layouts of earlier runs, and fills pools. `forks`: see pool_fill().
 */
bool placement_rules_make(const struct guest *guest, bool forks, struct placement **placement,
			  struct error *error);

/*
 * engines.c: hides every region of the pager with the engine of this name. NULL selects the best
 * engine that this kernel has; for a loader that fills pages ahead that is userfaultfd.
 * `can_intercept`: system calls are intercepted.
 */
bool engines_hide(struct pager *pager, const char *name, bool fills_ahead, bool can_intercept,
		  struct error *error);

/*
 * descriptor.c: opens userfaultfd_descriptor (loader/resident/pager/engine.h), with a number that
 * the program will not use. Returns 0 or -errno.
 */
long descriptor_open(void);

/* descriptor.c: closes the descriptor if it is open, when another engine has to hide the pages. */
void descriptor_close(void);

/*
 * departure_stub.c: puts the stub that unmaps launch->loader into unused space of the program's
 * text. If there is no such space, part of the loader stays, and a detail reports it. Fails if the
 * text cannot be made executable again.
 */
bool departure_stub_prepare(const struct guest *guest, struct launch *launch, struct error *error);

/*
 * library_path.c, for --library-path: the interpreter finds the list in LD_LIBRARY_PATH. The
 * program, and the processes that it starts, find the environment without it. Fills in
 * launch->words and the words that the program will see. `bytes` is the written stack,
 * launch->stack its layout.
 */
bool library_path_prepare(const struct guest *guest, struct launch *launch, uint8_t *bytes,
			  struct error *error);

/*
 * Words that --library-path adds on the stack, between the environment's table and the auxiliary
 * vector.
 */
#define LIBRARY_PATH_ROOM 2

/*
 * room.c: memory that stays after the loader has left, for resident code: zeroed whole pages.
 * Resident memory has room for what most programs need, which saves a system call and a mapping
 * each time: see start.ld. What does not fit there is mapped by mmap. Returns NULL, with errno, if
 * there is no memory.
 */
void *room_take(uint64_t length);

/* room.c: takes a page that will be moved away with mremap. */
void *room_take_page(void);

/* room.c: whether memory came from the resident room, and must not be unmapped. */
bool room_has(const void *memory);
