/*
 * Carries out a load plan: maps the PT_LOAD segments, as file and as zero-filled memory, at
 * addresses that it reserves first. Host code.
 */
#ifndef COMMON_SEGMENT_MAPPER_H
#define COMMON_SEGMENT_MAPPER_H

#include "common/load_plan.h"

/*
 * Finds room for a position-independent program, at an address that the kernel draws, and
 * reserves it. *load_bias gets what is to be added to the file's addresses.
 */
bool segments_reserve(const struct load_span *span, uint64_t *load_bias, struct error *error);

/*
 * Maps every mapping of the plan, with its final protection, according to its presence. A program
 * with a fixed address is refused where something is in its way; for a position-independent one,
 * segments_reserve() has made room, and what is not used of it is given back.
 */
bool segments_map(const struct load_plan *plan, int descriptor, struct error *error);

/* `rwx` for PROT_* bits, as proc(5)'s maps shows them; in static memory until the next call. */
const char *protection_text(int protection);

/*
 * Gives back what was reserved between the segments of a position-independent program, and behind
 * them: nothing may stay there. To be done when the loader maps nothing more.
 */
void segments_unmap_gaps(const struct load_plan *plan);

/* A presence in words. */
const char *presence_text(enum presence presence);

#endif
