/* The last instructions of a loader that leaves nothing else behind. */
#include "loader/prepare/departure_stub.h"

#include "common/page.h"
#include "common/report.h"
#include "loader/resident/arch/entry.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Whether a range contains no part of an object's segments and not its first instruction. */
static bool is_unused(const struct object *object, uint64_t start, uint64_t end)
{
	for (unsigned i = 0; i < object->image.phnum; i++) {
		const Elf64_Phdr *segment = &object->image.segments[i];
		uint64_t from = segment->p_vaddr + object->plan.load_bias;

		if (segment->p_type == PT_LOAD && from < end && from + segment->p_memsz > start)
			return false;
	}
	return object->plan.entry < start || object->plan.entry >= end;
}

/*
 * The address for the departure stub in a file page of an object's text, after the text; 0 if there
 * is no room. The stub ends at the page's end, as far from the text as possible, and its jump must
 * reach the entry.
 */
static uint64_t find_room(const struct object *object, const struct plan_mapping *mapping,
			  uint64_t entry, uint64_t length)
{
	const Elf64_Phdr *segment = &object->image.segments[mapping->segment];
	uint64_t text_end = segment->p_vaddr + segment->p_filesz + object->plan.load_bias;
	uint64_t end = mapping_end(mapping);
	uint64_t last_page = mapping->file_offset + mapping->length - PAGE_BYTES;

	if (!mapping->from_file || (mapping->protection & PROT_EXEC) == 0 ||
	    segment->p_filesz != segment->p_memsz || last_page >= object->file.size ||
	    text_end > end || end - text_end < length || !entry_stub_reaches(end, entry) ||
	    !is_unused(object, end - length, end))
		return 0;
	return end - length;
}

/*
 * Returns false if the text page cannot be written. Sets *error if it cannot be made executable
 * again.
 */
static bool place_stub(const struct plan_mapping *mapping, uint64_t address, uint64_t entry,
		       struct error *error)
{
	uint64_t length = (uint64_t)(entry_departure_stub_end - entry_departure_stub);
	void *start = (void *)mapping->address;

	if (mprotect(start, mapping->length, PROT_READ | PROT_WRITE) != 0)
		return false;
	memcpy((void *)address, entry_departure_stub, length);
	entry_stub_finish(address + length, entry);
	if (mprotect(start, mapping->length, mapping->protection) != 0)
		error_set(
		    error, EXIT_OURS,
		    "its text cannot be made executable again: %s; " ERROR_NO_EXECUTABLE_MEMORY,
		    strerror(errno));
	return true;
}

/*
 * Places the stub. The instructions that unmap a loader completely cannot be on a page of the
 * loader. So they go to the unused end of a page of the program's text.
 */
bool departure_stub_prepare(const struct guest *guest, struct launch *launch, struct error *error)
{
	uint64_t length = (uint64_t)(entry_departure_stub_end - entry_departure_stub);
	struct mapped at = {.object = NULL};

	error->status = 0;
	while (guest_next_mapping(guest, &at)) {
		uint64_t address = find_room(at.object, at.mapping, launch->entry, length);

		if (address == 0 || !place_stub(at.mapping, address, launch->entry, error))
			continue;
		launch->departure_stub = address;
		return error->status == 0;
	}
	report_detail("%lu bytes of the loader stay at 0x%lx: no text page has %lu bytes free "
		      "for the instructions that would unmap them",
		      (uint64_t)(resident_area_end - resident_area), (uint64_t)resident_area,
		      length);
	return true;
}
