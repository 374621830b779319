#include "common/load_plan.h"
#include "common/page.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Cuts everything below `address` off a mapping. */
static void trim_front(struct plan_mapping *mapping, uint64_t address)
{
	uint64_t cut = address - mapping->address;

	mapping->address += cut;
	mapping->length -= cut;
	if (mapping->from_file)
		mapping->file_offset += cut;
}

/* Cuts everything from `address` on off a mapping; its cleared tail goes with its last page. */
static void trim_back(struct plan_mapping *mapping, uint64_t address)
{
	mapping->length = address - mapping->address;
	mapping->zero_from = 0;
}

/* The index of the first mapping that ends above address. */
static unsigned first_above(const struct load_plan *plan, uint64_t address)
{
	unsigned low = 0, high = plan->count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (mapping_end(&plan->mappings[middle]) > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Replaces `removed` mappings at index by the given ones. */
static void splice(struct load_plan *plan, unsigned index, unsigned removed,
		   const struct plan_mapping *replacement, unsigned added)
{
	struct plan_mapping *at = &plan->mappings[index];

	memmove(at + added, at + removed, (plan->count - index - removed) * sizeof(*at));
	memcpy(at, replacement, added * sizeof(*at));
	plan->count = plan->count - removed + added;
}

/* Removes the mappings in the range of `old`, and inserts the new mapping if there is one. */
static void replace(struct load_plan *plan, const struct plan_mapping *old,
		    const struct plan_mapping *new)
{
	struct plan_mapping pieces[3];
	unsigned first = first_above(plan, old->address), last = first, count = 0;

	while (last < plan->count && plan->mappings[last].address < mapping_end(old))
		last++;
	if (last > first && plan->mappings[first].address < old->address) {
		pieces[count] = plan->mappings[first];
		trim_back(&pieces[count++], old->address);
	}
	if (new != NULL)
		pieces[count++] = *new;
	if (last > first && mapping_end(&plan->mappings[last - 1]) > mapping_end(old)) {
		pieces[count] = plan->mappings[last - 1];
		trim_front(&pieces[count++], mapping_end(old));
	}
	splice(plan, first, last - first, pieces, count);
}

/* Inserts a mapping over whatever is there, as mmap with MAP_FIXED does. */
static void put(struct load_plan *plan, const struct plan_mapping *new)
{
	if (new->length > 0)
		replace(plan, new, new);
}

int load_protection(uint32_t flags)
{
	return ((flags & PF_R) ? PROT_READ : 0) | ((flags & PF_W) ? PROT_WRITE : 0) |
	       ((flags & PF_X) ? PROT_EXEC : 0);
}

/*
 * Inserts the mappings of one PT_LOAD, as elf_load() in fs/binfmt_elf.c makes them: the pages with
 * file data, and after them zero-filled ones up to p_memsz. The zero-filled pages are readable and
 * writable whatever p_flags says, and executable if p_flags says so. If the segment is writable,
 * the end of the last file page is cleared; if not, it keeps the file's bytes.
 */
static void put_segment(struct load_plan *plan, const Elf64_Phdr *segment, unsigned index)
{
	uint64_t start = segment->p_vaddr + plan->load_bias;
	uint64_t file_end = start + segment->p_filesz, end = start + segment->p_memsz;
	struct plan_mapping file = {
	    .address = page_floor(start),
	    .file_offset = page_floor(segment->p_offset),
	    .protection = load_protection(segment->p_flags),
	    .from_file = true,
	    .segment = index,
	};
	struct plan_mapping zero = {
	    .address = page_floor(start),
	    .protection = PROT_READ | PROT_WRITE | (file.protection & PROT_EXEC),
	    .segment = index,
	};

	if (segment->p_filesz > 0) {
		zero.address = page_ceil(file_end);
		file.length = zero.address - file.address;
		if (end > file_end && (file.protection & PROT_WRITE) && page_offset(file_end) != 0)
			file.zero_from = file_end;
	}
	if (end > file_end && page_ceil(end) > zero.address)
		zero.length = page_ceil(end) - zero.address;
	put(plan, &file);
	put(plan, &zero);
}

/* Computes the numbers that the kernel keeps for a process's image, as load_elf_binary does. */
static void note_extent(struct load_plan *plan, const struct elf_image *image,
			const Elf64_Phdr *segment)
{
	uint64_t start = segment->p_vaddr + plan->load_bias, file_end = start + segment->p_filesz;

	if (segment->p_flags & PF_X) {
		plan->code_start = lower(plan->code_start, start);
		plan->code_end = higher(plan->code_end, file_end);
	}
	plan->data_start = higher(plan->data_start, start);
	plan->data_end = higher(plan->data_end, file_end);
	plan->image_end = higher(plan->image_end, start + segment->p_memsz);
	if (segment->p_offset <= image->phoff &&
	    image->phoff < segment->p_offset + segment->p_filesz)
		plan->phdr_address = image->phoff - segment->p_offset + start;
}

struct load_span load_span_of(const struct elf_image *image)
{
	uint64_t start = UINT64_MAX, end = 0, alignment = PAGE_BYTES;

	for (unsigned i = 0; i < image->phnum; i++) {
		const Elf64_Phdr *segment = &image->segments[i];

		if (segment->p_type != PT_LOAD)
			continue;
		start = lower(start, page_floor(segment->p_vaddr));
		end = higher(end, page_ceil(segment->p_vaddr + segment->p_memsz));
		/* As in maximum_alignment(): a value that is not a power of two is ignored. */
		if ((segment->p_align & (segment->p_align - 1)) == 0)
			alignment = higher(alignment, segment->p_align);
	}
	return (struct load_span){.start = start, .length = end - start, .alignment = alignment};
}

/* Allocates the mappings: a segment has at most two, and each may cut an earlier one in two. */
static bool allocate_mappings(struct load_plan *plan, unsigned loads, struct error *error)
{
	plan->count = 0;
	plan->capacity = 4 * loads;
	plan->mappings = malloc(plan->capacity * sizeof(*plan->mappings));
	if (plan->mappings == NULL)
		return error_no_memory(error, "to plan %u mappings", plan->capacity);
	return true;
}

bool load_plan_make(const struct elf_image *image, uint64_t load_bias, struct load_plan *plan,
		    struct error *error)
{
	unsigned loads = 0;

	*plan = (struct load_plan){
	    .load_bias = load_bias,
	    .entry = image->entry + load_bias,
	    .phdr_address = load_bias,
	    .phnum = image->phnum,
	    .code_start = UINT64_MAX,
	    .fixed_address = image->type == ET_EXEC,
	};
	for (unsigned i = 0; i < image->phnum; i++) {
		const Elf64_Phdr *segment = &image->segments[i];

		if (segment->p_type == PT_LOAD) {
			note_extent(plan, image, segment);
			loads++;
		} else if (segment->p_type == PT_GNU_STACK) {
			plan->executable_stack = (segment->p_flags & PF_X) != 0;
		}
	}
	if (!allocate_mappings(plan, loads, error))
		return false;
	for (unsigned i = 0; i < image->phnum; i++)
		if (image->segments[i].p_type == PT_LOAD)
			put_segment(plan, &image->segments[i], i);
	return true;
}

bool load_plan_give_way(struct load_plan *plan, const struct load_span *to, struct error *error)
{
	const struct plan_mapping range = {.address = to->start, .length = to->length};
	unsigned most = plan->count + 1; /* it may cut one in two */
	struct plan_mapping *mappings = realloc(plan->mappings, most * sizeof(*mappings));

	if (mappings == NULL)
		return error_no_memory(error, "to plan %u mappings", most);
	plan->mappings = mappings;
	plan->capacity = most;
	replace(plan, &range, NULL);
	return true;
}

const struct plan_mapping *load_plan_find(const struct load_plan *plan, uint64_t address)
{
	unsigned index = first_above(plan, address);

	if (index == plan->count || plan->mappings[index].address > address)
		return NULL;
	return &plan->mappings[index];
}
