/*
 * Carries out a load plan: maps the PT_LOAD segments, as file and as zero-filled memory, at
 * addresses that it reserves first. Host code.
 */
#ifndef COMMON_SEGMENT_MAPPER_H
#define COMMON_SEGMENT_MAPPER_H

#include "common/load_plan.h"

/* Where a position-independent object is going to be. */
struct reservation {
	uint64_t load_bias; /* to be added to the file's addresses */
	uint64_t end;	    /* of all that is reserved, which may be more than the object takes */
};

/*
 * Finds room for a position-independent object and reserves it: with its lowest page at `hint`,
 * or below for the sake of its alignment, if that is free; else, and for hint 0, where the kernel
 * draws it.
 */
bool segments_reserve(const struct load_span *span, uint64_t hint, struct reservation *reservation,
		      struct error *error);

/*
 * Maps every mapping of the plan, with its final protection, according to its presence. A program
 * with a fixed address is refused where something is in its way; for a position-independent one,
 * segments_reserve() has made room.
 */
bool segments_map(const struct load_plan *plan, int descriptor, struct error *error);

/*
 * Copies what the file has of one page of a mapping of it into a page of zeros elsewhere: nothing
 * from zero_from on, nor after the file's end (mmap(2)). `page`: the address of the page in the
 * mapping.
 */
bool segments_read_page(const struct plan_mapping *mapping, int descriptor, uint64_t page,
			void *into, struct error *error);

/* `rwx` for PROT_* bits, as proc(5)'s maps shows them. */
const char *protection_text(int protection);

/*
 * Gives back what was reserved between the segments of a position-independent object, and after
 * them: nothing may stay there. To be called when the loader maps nothing more.
 */
void segments_unmap_gaps(const struct load_plan *plan, const struct reservation *reservation);

/* A presence in words. */
const char *presence_text(enum presence presence);

#endif
