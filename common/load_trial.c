#include "common/load_trial.h"

#include "common/load_plan.h"
#include "common/memory_map.h"
#include "common/page.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* A shorter range is not tried: it is mapped a moment later, which fails in the same way. */
#define WORTH_TRYING (UINT64_C(1) << 30)

static const Elf64_Phdr *first_load(const struct elf_image *image)
{
	const Elf64_Phdr *segment = image->segments;

	while (segment->p_type != PT_LOAD)
		segment++;
	return segment;
}

/*
 * Tries what elf_load() in fs/binfmt_elf.c does. It maps the file from the first PT_LOAD on, with
 * the protection of that segment and the total length of all segments, and then the other segments
 * around it. Segments with lower addresses may end up below address 0.
 */
static bool try_span(const struct elf_image *image, int file, struct error *error)
{
	const Elf64_Phdr *first = first_load(image);
	struct load_span span = load_span_of(image);
	uint64_t below = page_floor(first->p_vaddr) - span.start;
	int protection = load_protection(first->p_flags);
	void *room;

	if (image->type != ET_DYN || span.length < WORTH_TRYING)
		return true;
	room = mmap(NULL, span.length, protection, MAP_PRIVATE, file,
		    (off_t)page_floor(first->p_offset));
	if (room != MAP_FAILED)
		munmap(room, span.length);
	if (room != MAP_FAILED && (image->interpreter != NULL || below < (uint64_t)room))
		return true;
	return error_set(
	    error, EXIT_NOT_LOADABLE,
	    "spans 0x%lx bytes from its first PT_LOAD on, which cannot be mapped: %s; exec "
	    "would kill it, too: build it with its segments closer together",
	    span.length, room == MAP_FAILED ? strerror(errno) : "others would lie below address 0");
}

static bool try_zeros(const Elf64_Phdr *segment, unsigned index, struct error *error)
{
	uint64_t length = segment->p_memsz - segment->p_filesz;
	void *room;

	if (segment->p_type != PT_LOAD || length < WORTH_TRYING)
		return true;
	room = memory_map(length, 0);
	if (room == NULL)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "needs 0x%lx bytes of .bss in program header %u: %s; %s", length,
				 index, strerror(errno), error_memory_remedy());
	munmap(room, page_ceil(length));
	return true;
}

bool load_trial(const struct elf_image *image, int file, struct error *error)
{
	if (!try_span(image, file, error))
		return false;
	for (unsigned i = 0; i < image->phnum; i++)
		if (!try_zeros(&image->segments[i], i, error))
			return false;
	return true;
}
