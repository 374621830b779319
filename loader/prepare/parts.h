/* What the steps of prepare.h ask of each other: every function is of the file that is named. */
#ifndef LOADER_PREPARE_PARTS_H
#define LOADER_PREPARE_PARTS_H

#include "loader/guest.h"
#include "loader/resident/launch.h"
#include "loader/resident/pager/regions.h"

/*
 * guard_prepare.c: whether system calls can be intercepted. If not, *error says why, and what it
 * takes.
 */
bool guard_can_intercept(const struct guest *guest, struct error *error);

/*
 * placement_prepare.c: whether this kernel can place a page when it is touched; else all pages are
 * placed before entry.
 */
bool placement_can_wait(void);

/*
 * placement_rules.c: makes the rules, in memory of their own, from the words of the command line:
 * symbols are looked up, layouts of earlier runs read, pools filled. `forks`: see pool_fill().
 */
bool placement_rules_make(const struct guest *guest, bool forks, struct placement **placement,
			  struct error *error);

/*
 * engines.c: hides every region of the pager with the engine of this name; NULL: the best that this
 * kernel has, which is userfaultfd for a loader that fills pages ahead. `can_intercept`: system
 * calls come to us first.
 */
bool engines_hide(struct pager *pager, const char *name, bool fills_ahead, bool can_intercept,
		  struct error *error);

/*
 * descriptor.c: opens userfaultfd_descriptor (loader/resident/pager/engine.h), with a number that
 * is out of the program's way. 0 or -errno.
 */
long descriptor_open(void);

/* Closes it, if it is open: where its engine cannot hide the pages, another one does. */
void descriptor_close(void);

/*
 * departure_stub.c: puts the stub that unmaps launch->loader where the program's text has room for
 * it. Without such room part of the loader stays, and a detail says so. Fails when the text cannot
 * be made executable again.
 */
bool departure_stub_prepare(const struct guest *guest, struct launch *launch, struct error *error);

/*
 * library_path.c, for --library-path: the interpreter finds the list in LD_LIBRARY_PATH, and the
 * program, and so what it starts, find the environment without it. Fills in launch->words, and what
 * the program is going to see of them. `bytes` is the written stack, launch->stack its measures.
 */
bool library_path_prepare(const struct guest *guest, struct launch *launch, uint8_t *bytes,
			  struct error *error);

/* Words that this takes on the stack, between the environment's table and the auxiliary vector. */
#define LIBRARY_PATH_ROOM 2

/*
 * room.c: memory that stays when the loader has left, for what resident code works with: zeroed
 * whole pages. Resident memory has room for what most programs need, which saves a system call
 * each, and a mapping: see start.ld. What does not fit there is mapped by mmap. NULL, with errno,
 * if there is no memory.
 */
void *room_take(uint64_t length);

/* room.c: takes a page that is going to be moved away with mremap. */
void *room_take_page(void);

/* room.c: whether memory came from the resident room, and may not be unmapped. */
bool room_has(const void *memory);

#endif
