/*
 * Copies data from the process that becomes the program to the watching loader. Before the program
 * starts, everything in that memory is the loader's own and is trusted. Afterwards the program may
 * have changed it: then only numbers are read from it, no address and no length.
 */
#include "loader/watch/supervise.h"

#include "common/memory_map.h"
#include "common/page.h"
#include "common/record_locks.h"
#include "common/report.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/pager/regions.h"
#include "loader/watch/watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* A table of the pager: its address in the program's memory, and its copy here. */
struct table {
	uint64_t address, bytes;
	void *copy;
};

enum { REVEALED, CHUNKS, AHEAD, FILLED, CALLS, LOG, TABLES };

/* Copied before the program starts: the program cannot change these. */
static struct {
	struct table tables[TABLES];
	uint64_t placement; /* an address; 0: no pages are placed */
	bool lacks_room;    /* no memory for a copy of a table */
} taken;

/* Allocates a copy of one of the pager's tables. Returns NULL if the pager has no such table. */
static void *take_table(int which, const void *address, uint64_t bytes)
{
	struct table *table = &taken.tables[which];

	if (address == NULL)
		return NULL;
	*table = (struct table){(uint64_t)address, bytes, memory_map(bytes, MAP_NORESERVE)};
	if (table->copy == NULL)
		taken.lacks_room = true;
	return table->copy;
}

static void take_tables(struct pager *pager)
{
	uint64_t bitmap = (pager->hidden + 63) / 64 * sizeof(uint64_t), chunks = 0;

	for (unsigned i = 0; i < pager->count; i++) {
		const struct pager_region *region = &pager->regions[i];

		chunks = region->first_chunk + region_chunk(region, region->end - 1) + 1;
	}
	pager->revealed = take_table(REVEALED, pager->revealed, bitmap);
	pager->chunks = take_table(CHUNKS, pager->chunks, chunks * sizeof(*pager->chunks));
	pager->ahead = take_table(AHEAD, pager->ahead, bitmap);
	pager->filled = take_table(FILLED, pager->filled, bitmap);
	pager->calls = take_table(CALLS, pager->calls, (COUNTED_CALLS + 1) * sizeof(*pager->calls));
	pager->log = take_table(LOG, pager->log, pager->hidden * sizeof(*pager->log));
	if (!taken.lacks_room)
		return;
	report_warning("its pages are not counted: there is no memory for their records");
	pager->count = 0;
	pager->log_count = 0;
	pager->calls = NULL;
}

static void take_placement(struct guest *guest, const struct held *held)
{
	struct placement *copy = malloc(sizeof(*copy));

	taken.placement = (uint64_t)guest->placement;
	guest->placement = NULL;
	if (copy != NULL && held_read(held, taken.placement, copy, sizeof(*copy)))
		guest->placement = copy;
}

void watch_take_over(struct guest *guest, const struct held *held)
{
	int exact = guest->exact;

	if (held->holder == 0)
		return;
	held_read(held, (uint64_t)guest, guest, sizeof(*guest));
	guest->exact = exact;
	held_read(held, (uint64_t)&resident_pager, &resident_pager, sizeof(resident_pager));
	held_read(held, (uint64_t)&resident_guard, &resident_guard, sizeof(resident_guard));
	if (resident_pager.count > 0)
		take_tables(&resident_pager);
	if (guest->placement != NULL)
		take_placement(guest, held);
	explain_take_over(held);
}

void watch_take_counts(const struct guest *guest, const struct held *held)
{
	struct pager *pager = &resident_pager, now;
	struct placement placed;
	uint8_t names = 0; /* which the launch decides */

	held_read(held, (uint64_t)&resident_guard.names_executable, &names, sizeof(names));
	resident_guard.names_executable = names != 0;
	if (!held_read(held, (uint64_t)pager, &now, sizeof(now)))
		now = *pager;
	pager->statistics = now.statistics;
	if (pager->count > 0) {
		pager->retired = now.retired <= RETIRE_FAILURE ? now.retired : RETIRE_NOT;
		pager->retired_call = now.retired_call;
		pager->retired_after = now.retired_after;
		pager->log_count = pager->log != NULL ? lower(now.log_count, pager->hidden) : 0;
	}
	for (int i = 0; i < TABLES; i++)
		if (taken.tables[i].copy != NULL)
			held_read(held, taken.tables[i].address, taken.tables[i].copy,
				  taken.tables[i].bytes);
	if (guest->placement == NULL || !held_read(held, taken.placement, &placed, sizeof(placed)))
		return;
	guest->placement->placed = placed.placed;
	guest->placement->exact_placed = placed.exact_placed;
}

/* Whether the program inherits a descriptor, too: the loader's own are close-on-exec. */
static bool is_inherited(int descriptor)
{
	int flags = fcntl(descriptor, F_GETFD);

	return descriptor != STDERR_FILENO && flags >= 0 && (flags & FD_CLOEXEC) == 0;
}

/*
 * A process that closes a descriptor loses its record locks on that file. Locks taken before the
 * start belong to this process, so such descriptors stay open.
 */
void watch_close_inherited(struct guest *guest)
{
	DIR *folder = opendir("/proc/self/fd");
	const struct dirent *entry;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		int descriptor = atoi(entry->d_name);

		if (entry->d_name[0] != '.' && is_inherited(descriptor) &&
		    !record_locks_found(descriptor))
			close(descriptor);
	}
	if (folder != NULL)
		closedir(folder);
	for (unsigned i = 0; i < guest->object_count; i++)
		program_file_close(&guest->objects[i].file);
}
