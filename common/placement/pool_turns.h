/*
 * Where a certain frame can be found. The kernel's allocator (mm/page_alloc.c) puts a freed page
 * into a list of the processor that freed it, with separate lists for single pages and 2 MiB pages.
 * It hands out the last one first; other processors get none from there. Pages that exceed these
 * lists are merged into larger blocks, and a block of 2 MiB is split into single pages only when
 * there is no smaller one. So a search for certain frames takes turns: single pages on each
 * processor, then 2 MiB pages on each. Host code.
 */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#define TURNS_PROCESSORS 32

struct pool_turns {
	cpu_set_t allowed; /* processors that this thread could use before the first turn */
	uint64_t pieces;   /* number of pieces of all turns together */
	unsigned long processors[TURNS_PROCESSORS];
	unsigned count; /* number of processors to visit; 0: the thread stays where it is */
	unsigned turn;	/* number of the current turn */
};

/*
 * Starts the turns. `pieces`: how many will be requested. The processor that the thread runs on has
 * the first turn.
 */
void turns_begin(struct pool_turns *turns, uint64_t pieces);

/*
 * Moves this thread to the processor for a piece; pieces are requested in order, from 0. Returns
 * whether the piece should be a 2 MiB page.
 */
bool turns_take(struct pool_turns *turns, uint64_t piece);

/* Lets the thread run where it could before turns_begin(). */
void turns_end(const struct pool_turns *turns);
