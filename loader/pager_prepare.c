/* Setting up the pager before the jump. */
#include "common/page.h"
#include "common/report.h"
#include "loader/guest.h"
#include "loader/resident/launch.h"
#include "loader/resident/pager.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the SIGSEGV handler itself needs on its stack, beside the signal frame. */
#define HANDLER_STACK_BYTES 8192

/* The smallest frame that the kernel pushes, where it does not say (AT_MINSIGSTKSZ). */
#define SIGNAL_FRAME_BYTES 2048

/*
 * The last page of a file mapping whose end is to be cleared cannot be shown to the program
 * before that is done, and another thread could look at it meanwhile. So it is made elsewhere
 * now, and moved into place when it is touched.
 */
static bool stage_tail(const struct plan_mapping *mapping, int descriptor, uint64_t *staged,
		       struct error *error)
{
	uint64_t last = mapping->address + mapping->length - PAGE_BYTES;
	size_t length = mapping->zero_from - last;
	off_t offset = (off_t)(mapping->file_offset + (last - mapping->address));
	void *page =
	    mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return error_set(error, EXIT_OURS, "no memory to prepare a page: %s",
				 strerror(errno));
	if (pread(descriptor, page, length, offset) != (ssize_t)length)
		return error_set(error, EXIT_NOT_LOADABLE, "cannot be read at 0x%lx: %s",
				 (uint64_t)offset, strerror(errno));
	if (mapping->protection != (PROT_READ | PROT_WRITE) &&
	    mprotect(page, PAGE_BYTES, mapping->protection) != 0)
		return error_set(error, EXIT_NOT_LOADABLE, "cannot protect a page: %s",
				 strerror(errno));
	*staged = (uint64_t)page;
	return true;
}

static bool add_regions(const struct guest *guest, struct pager *pager, uint64_t *pages,
			struct error *error)
{
	for (unsigned i = 0; i < guest->plan.count; i++) {
		const struct plan_mapping *mapping = &guest->plan.mappings[i];
		struct pager_region *region;

		if (mapping->presence != PRESENCE_HIDDEN)
			continue;
		region = &pager->regions[pager->count];
		*region = (struct pager_region){
		    .start = mapping->address,
		    .end = mapping->address + mapping->length,
		    .protection = mapping->protection,
		    .first_bit = *pages,
		    .from_file = mapping->from_file,
		};
		if (mapping->zero_from != 0 &&
		    !stage_tail(mapping, guest->file.descriptor, &region->staged, error))
			return false;
		*pages += mapping->length / PAGE_BYTES;
		pager->count++;
	}
	return true;
}

/* One allocation: the alternate signal stack, and the bitmaps behind it. */
static bool allocate_tables(const struct guest *guest, struct pager *pager, uint64_t pages,
			    struct error *error)
{
	uint64_t frame = process_start_auxv(&guest->start, AT_MINSIGSTKSZ);
	uint64_t stack, bitmap = (pages + 63) / 64 * sizeof(uint64_t);
	uint64_t bitmaps = guest->options.statistics ? 3 : 1;
	uint8_t *area;

	stack = page_ceil((frame != 0 ? frame : SIGNAL_FRAME_BYTES) + HANDLER_STACK_BYTES);
	area = mmap(NULL, stack + page_ceil(bitmaps * bitmap), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED)
		return error_set(error, EXIT_OURS, "no memory for the page tables of %lu pages: %s",
				 pages, strerror(errno));
	resident_launch.alternate_stack = (uint64_t)area;
	resident_launch.alternate_stack_length = stack;
	pager->revealed = (uint64_t *)(area + stack);
	if (guest->options.statistics) {
		pager->ahead = pager->revealed + (pages + 63) / 64;
		pager->filled = pager->ahead + (pages + 63) / 64;
	}
	return true;
}

/* The best engine that this kernel has: `guard`, and where that is missing `mprotect`. */
static bool hide(struct pager *pager, struct error *error)
{
	long result;

	pager->engine = resident_engine_guard();
	result = resident_pager_hide(pager);
	if (result != 0) {
		report_detail("no guard markers on this kernel (%s); hiding pages with mprotect",
			      strerror((int)-result));
		for (unsigned i = 0; i < pager->count; i++)
			pager->engine.reveal(pager->regions[i].start,
					     pager->regions[i].end - pager->regions[i].start,
					     pager->regions[i].protection);
		pager->engine = resident_engine_mprotect();
		result = resident_pager_hide(pager);
	}
	if (result != 0)
		return error_set(error, EXIT_OURS, "pages cannot be hidden: %s",
				 strerror((int)-result));
	return true;
}

bool pager_prepare(const struct guest *guest, struct error *error)
{
	struct pager *pager = &resident_pager;
	uint64_t pages = 0;

	if (!add_regions(guest, pager, &pages, error))
		return false;
	if (pages == 0)
		return true;
	if (!allocate_tables(guest, pager, pages, error) || !hide(pager, error))
		return false;
	pager->predict = guest->options.policy->predict;
	resident_pager_fill(pager, guest->plan.entry);
	resident_launch.pages = true;
	return true;
}
