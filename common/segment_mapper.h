/*
 * Carries out a load plan: maps the PT_LOAD segments, as files and as zero-filled memory, at
 * addresses that it reserves first. Host code.
 */
#pragma once

#include "common/load_plan.h"

/* The address space for a position-independent object. */
struct reservation {
	uint64_t load_bias; /* is added to the file's addresses */
	uint64_t end;	    /* end of the reserved space, which may be larger than the object */
};

/*
 * Finds and reserves address space for a position-independent object. Its lowest page is at `hint`,
 * or lower because of its alignment, if that is free. Otherwise, and for hint 0, the kernel chooses
 * the address.
 */
bool segments_reserve(const struct load_span *span, uint64_t hint, struct reservation *reservation,
		      struct error *error);

/*
 * Maps every mapping of the plan, with its final protection, according to its presence. A program
 * with a fixed address is refused if another mapping is in its way. For a position-independent one
 * segments_reserve() has reserved the space.
 */
bool segments_map(const struct load_plan *plan, int descriptor, struct error *error);

/*
 * Copies the file's part of one page of a mapping into a page of zeros elsewhere: nothing from
 * zero_from on, and nothing after the file's end (mmap(2)). `page`: the address of the page in the
 * mapping.
 */
bool segments_read_page(const struct plan_mapping *mapping, int descriptor, uint64_t page,
			void *into, struct error *error);

/* `rwx` for PROT_* bits, as in /proc/PID/maps. */
const char *protection_text(int protection);

/*
 * Unmaps the reserved space between and after the segments of a position-independent object, where
 * no mapping may stay. Called after the loader's last mapping.
 */
void segments_unmap_gaps(const struct load_plan *plan, const struct reservation *reservation);

/* The presence as a word. */
const char *presence_text(enum presence presence);
