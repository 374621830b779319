/* The ways of the experiment `prefault` that allocate objects instead of accessing pages. */
#pragma once

#include "bench/experiments/prefault_way.h"

/*
 * Draws the sizes of objects. Call this before anything is timed, because it touches other memory.
 */
void arena_draw_sizes(uint64_t seed);

/* Allocates objects until the arena is full, and accesses each. */
void arena_touch(const struct way *way, const struct area *area);
