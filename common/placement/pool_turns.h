/*
 * Where a certain frame may be had. The kernel's allocator (mm/page_alloc.c) puts a freed page into
 * a list of the processor that freed it, single pages and 2 MiB pages apart, and hands out the last
 * one first; other processors get none from there. What these lists have no room for becomes larger
 * blocks, and one of 2 MiB is broken into single pages only when there is no smaller one. So a
 * search for certain frames takes turns: single pages on each processor, then 2 MiB pages on each.
 * Host code.
 */
#ifndef COMMON_PLACEMENT_POOL_TURNS_H
#define COMMON_PLACEMENT_POOL_TURNS_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#define TURNS_PROCESSORS 32

struct pool_turns {
	cpu_set_t allowed; /* this thread's processors before the first turn */
	uint64_t pieces;   /* of all turns together */
	unsigned long processors[TURNS_PROCESSORS];
	unsigned count; /* of the processors to visit; 0: the thread stays where it is */
	unsigned turn;	/* the last that was taken */
};

/* `pieces`: how many will be asked for. The processor that the thread is on has the first turn. */
void turns_begin(struct pool_turns *turns, uint64_t pieces);

/*
 * Moves this thread to the processor of a piece; pieces are asked for in order, from 0. Returns
 * whether the piece shall be a 2 MiB page.
 */
bool turns_take(struct pool_turns *turns, uint64_t piece);

/* The thread may run where it could before turns_begin(). */
void turns_end(const struct pool_turns *turns);

#endif
