/*
 * --record: writes which pages the program touched. The program was loaded with everything hidden
 * and nothing predicted, so that each first touch was seen. What it touched after the end of lazy
 * paging is read from the page tables, without an order.
 */
#include "loader/profile/steps.h"

#include "common/page.h"
#include "common/pagemap.h"
#include "common/printable.h"
#include "loader/profile/profile_key.h"
#include "loader/profile/profile_place.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/pager/revealed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool record_prepare(struct guest *guest, struct error *error)
{
	struct profile_place place;

	if (guest->options.record == NULL)
		return true;
	if (!profile_key_find(guest, error) ||
	    !profile_place_find(guest->options.record, guest->profile_key, &place, error) ||
	    !profile_place_make(&place, error))
		return false;
	profile_place_close(&place);
	guest->options.record = strdup(place.path);
	guest->options.retire = GUARD_NEVER;
	return guest->options.record != NULL ||
	       error_no_memory(error, "for the name %.256s", place.path);
}

/* The page number as in the file: without the load bias. */
static uint64_t page_number(const struct object *object, uint64_t address)
{
	return object->first_page + (address - object->plan.load_bias) / PAGE_BYTES;
}

/* State while runs are written, mapping by mapping in the order of their addresses. */
struct writer {
	const struct held *held;
	struct mapped at;
	FILE *out; /* NULL: the runs are only counted */
	struct profile_run run;
	size_t count;
};

static void end_run(struct writer *writer)
{
	const struct profile_run *run = &writer->run;

	if (run->pages == 0)
		return;
	writer->count++;
	if (writer->out != NULL)
		fprintf(writer->out, "%lx %lx %c\n", run->first, run->pages,
			run->written ? 'w' : 'r');
	writer->run.pages = 0;
}

/* Whether the program touched a page that is in memory: it was revealed, or left to the kernel. */
static bool was_touched(uint64_t address)
{
	const struct pager_region *region = pages_region_of(&resident_pager, address);

	return region == NULL ||
	       revealed_includes(&resident_pager, region, (address - region->start) / PAGE_BYTES);
}

/*
 * A page without a file that holds only zeros counts as read; it may also have been written with
 * zeros.
 */
static void add_page(uint64_t address, bool of_file, void *context)
{
	struct writer *writer = context;
	uint64_t page = page_number(writer->at.object, address);
	bool written =
	    writer->at.mapping->from_file ? !of_file : !held_is_zero(writer->held, address);

	if (!was_touched(address))
		return;
	if (writer->run.pages > 0 && writer->run.first + writer->run.pages == page &&
	    writer->run.written == written) {
		writer->run.pages++;
		return;
	}
	end_run(writer);
	writer->run = (struct profile_run){.first = page, .pages = 1, .written = written};
}

static size_t write_runs(const struct guest *guest, const struct held *held, FILE *out)
{
	struct writer writer = {.held = held, .out = out};

	while (guest_next_mapping(guest, &writer.at)) {
		pagemap_for_each(held->pagemap, writer.at.mapping->address,
				 mapping_end(writer.at.mapping), add_page, &writer);
		end_run(&writer);
	}
	return writer.count;
}

static void write_regions(const struct guest *guest, FILE *out)
{
	struct mapped at = {.object = NULL};

	while (guest_next_mapping(guest, &at))
		fprintf(out, "region %lx %lx %s\n", page_number(at.object, at.mapping->address),
			at.mapping->length / PAGE_BYTES, at.mapping->from_file ? "file" : "bss");
}

static uint64_t address_of_bit(const struct pager *pager, uint64_t bit)
{
	for (unsigned i = 0; i < pager->count; i++) {
		const struct pager_region *region = &pager->regions[i];

		if (bit >= region->first_bit && bit < region->first_bit + region_pages(region))
			return region->start + (bit - region->first_bit) * PAGE_BYTES;
	}
	return 0;
}

/*
 * For a string whose length is not known yet, a system call reveals all of a region. Of those pages
 * only the ones that are in memory now count.
 */
static bool is_worth_noting(int pagemap, uint64_t address, enum touch_kind kind)
{
	return kind != TOUCH_CALL || pagemap_count(pagemap, address, address + PAGE_BYTES) > 0;
}

/* Writes the touches. Without a file they are only counted. Returns how many there are. */
static uint64_t write_touches(const struct guest *guest, const struct held *held, FILE *out)
{
	const struct pager *pager = &resident_pager;
	uint64_t count = 0;

	for (uint64_t i = 0; i < pager->log_count; i++) {
		uint64_t address = address_of_bit(pager, pager->log[i] % LOG_PAGES_MAX);
		enum touch_kind kind = pager->log[i] >> LOG_KIND_SHIFT;

		if (kind > TOUCH_WRITE || !is_worth_noting(held->pagemap, address, kind))
			continue;
		count++;
		if (out != NULL)
			fprintf(out, "%lx %c\n",
				page_number(guest_object_at(guest, address), address), "crw"[kind]);
	}
	return count;
}

static void write_profile(const struct guest *guest, const struct held *held, FILE *out)
{
	char name[4096];

	fprintf(out, "page-profile 1\nprogram %s\nkey %s\nruns %zu\n",
		printable_line(guest->name, name, sizeof(name)), guest->profile_key,
		write_runs(guest, held, NULL));
	write_runs(guest, held, out);
	write_regions(guest, out);
	fprintf(out, "touches %lu %s\n", write_touches(guest, held, NULL),
		resident_pager.retired == RETIRE_NOT ? "exit" : "retired");
	write_touches(guest, held, out);
}

void record_write(const struct guest *guest, const struct held *held)
{
	struct output_file output = guest->record;

	output_file_begin(&output);
	if (output.stream != NULL)
		write_profile(guest, held, output.stream);
	output_file_finish(&output);
}
