/*
 * The load plan: where each PT_LOAD segment goes in memory. Pure; made from an elf_image and a load
 * bias, checked by unit tests, and carried out by the segment mapper.
 *
 * If segments overlap, or share a page, the later program header owns the whole page, because the
 * kernel maps segments in their order with MAP_FIXED. The plan has resolved that: its mappings are
 * sorted by address, consist of whole pages, and do not overlap.
 */
#pragma once

#include "common/elf_image.h"

/* When the pages of a mapping come into memory. */
enum presence {
	PRESENCE_NATIVE,   /* by the kernel's own demand paging */
	PRESENCE_RESIDENT, /* all of them before entry */
	PRESENCE_HIDDEN,   /* each when the pager sees its first touch */
	PRESENCE_PLACED,   /* all before entry, on chosen frames; file data is copied */
};

struct plan_mapping {
	uint64_t address;	/* address of the first page */
	uint64_t length;	/* bytes, whole pages, never 0 */
	uint64_t file_offset;	/* bytes, on a page boundary; 0 for a zero-filled mapping */
	uint64_t zero_from;	/* address; memory is cleared before entry from here to the end
				   of this mapping's last page; 0: nothing is cleared */
	int protection;		/* PROT_* */
	bool from_file;		/* private file mapping, or else zero-filled memory (.bss) */
	unsigned segment;	/* index of its program header */
	enum presence presence; /* according to the loader's strategy */
	int advice;		/* for madvise when the mapping is made; MADV_NORMAL: none */
};

static inline uint64_t mapping_end(const struct plan_mapping *mapping)
{
	return mapping->address + mapping->length;
}

/* Whether the last page of a mapping is hidden, and has to be cleared before its first touch. */
static inline bool mapping_is_staged(const struct plan_mapping *mapping)
{
	return mapping->presence == PRESENCE_HIDDEN && mapping->zero_from != 0;
}

struct load_plan {
	uint64_t load_bias;	       /* added to each address of the file; 0 for ET_EXEC */
	uint64_t entry;		       /* where the program starts */
	uint64_t phdr_address;	       /* AT_PHDR: where the program finds its own headers */
	uint16_t phnum;		       /* AT_PHNUM */
	uint64_t code_start, code_end; /* mm->start_code, mm->end_code, as proc(5) shows them */
	uint64_t data_start, data_end; /* mm->start_data, mm->end_data */
	uint64_t image_end;	  /* first byte after the highest segment: brk may start here */
	bool fixed_address;	  /* ET_EXEC */
	bool executable_stack;	  /* the last PT_GNU_STACK has PF_X */
	unsigned count, capacity; /* entries in mappings[] */
	struct plan_mapping *mappings;
};

/* The address space that a position-independent program needs. */
struct load_span {
	uint64_t start;	    /* page address of the lowest segment, before the load bias */
	uint64_t length;    /* bytes, whole pages, up to the end of the highest segment */
	uint64_t alignment; /* bytes, a power of two, at least a page */
};

/* PROT_ bits of a p_flags. */
int load_protection(uint32_t flags);

/* The address range of all PT_LOAD segments. image must have passed elf_check(). */
struct load_span load_span_of(const struct elf_image *image);

/*
 * Fills in *plan for the given load bias. The bias is a multiple of the page size; it may be
 * "negative", because sums wrap as in the kernel. `image` must have passed elf_check().
 * plan->mappings is allocated with malloc. Fails only for lack of memory.
 */
bool load_plan_make(const struct elf_image *image, uint64_t load_bias, struct load_plan *plan,
		    struct error *error);

/*
 * Removes a range of whole pages from a plan: for an interpreter with a fixed address the kernel
 * clears all of its range, where the program may be (load_elf_interp). Fails only for lack of
 * memory.
 */
bool load_plan_give_way(struct load_plan *plan, const struct load_span *to, struct error *error);

/* The mapping that contains an address, or NULL. */
const struct plan_mapping *load_plan_find(const struct load_plan *plan, uint64_t address);
