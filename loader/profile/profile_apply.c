/*
 * Brings in the pages of a profile before entry. Pages without a file that the program will write
 * come as huge pages if they fill some. Otherwise userfaultfd copies them in, which is the next
 * cheapest way (docs/measuring.md). All other pages are populated, with as many ranges per call as
 * the kernel takes. Whatever fails is left to the kernel's own paging.
 */
#include "loader/profile/steps.h"

#include "common/kernel_abi.h"
#include "common/page.h"
#include "common/report.h"
#include "common/userfaultfd.h"
#include "loader/files/read_ahead.h"
#include "loader/profile/runs.h"
#include "loader/resident/base/room.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

/* Ranges per process_madvise, which takes 1024 at most (IOV_MAX). They occupy half a page. */
#define RANGES_MAX 128

/* userfaultfd takes a few system calls to set up, which this many bytes are worth. */
#define COPYING_PAYS_BYTES (64 * PAGE_BYTES)

#define FAULT_AROUND_BYTES (16 * PAGE_BYTES)

/* Up to this size a profile is applied without checking the available memory. */
#define LITTLE_BYTES (UINT64_C(64) << 20)

/* Ranges of one kind, collected for one call. */
struct ranges {
	int advice;
	size_t count;
	struct iovec vectors[RANGES_MAX];
};

static void populate_one_by_one(const struct ranges *ranges)
{
	for (size_t i = 0; i < ranges->count; i++)
		madvise(ranges->vectors[i].iov_base, ranges->vectors[i].iov_len, ranges->advice);
}

static void populate(struct ranges *ranges)
{
	size_t all = 0;
	long done = -1;

	for (size_t i = 0; i < ranges->count; i++)
		all += ranges->vectors[i].iov_len;
	/* Since Linux 6.13 a process may apply any advice to itself in this way. */
	if (ranges->count > 2)
		done = syscall(KERNEL_SYS_PROCESS_MADVISE, KERNEL_PIDFD_SELF, ranges->vectors,
			       ranges->count, ranges->advice, 0);
	if (done < 0 || (size_t)done != all)
		populate_one_by_one(ranges);
	ranges->count = 0;
}

static void add(struct ranges *ranges, uint64_t start, uint64_t end)
{
	struct iovec *last = ranges->count > 0 ? &ranges->vectors[ranges->count - 1] : NULL;

	if (last != NULL && (uint64_t)last->iov_base + last->iov_len == start) {
		last->iov_len += end - start;
		return;
	}
	if (ranges->count == RANGES_MAX)
		populate(ranges);
	ranges->vectors[ranges->count++] = (struct iovec){(void *)start, end - start};
}

/* The part of a run that is in a mapping, as addresses, during an iteration over the runs. */
struct part {
	size_t runs; /* index of the next run; 0: none has been visited */
	uint64_t start, end;
};

/* Advances to the next run of this kind that has a part in the mapping. */
static bool next_part(const struct guest *guest, const struct mapped *at, bool written,
		      struct part *part)
{
	/* Converts page numbers to addresses. */
	uint64_t bias = at->object->plan.load_bias - at->object->first_page * PAGE_BYTES;
	uint64_t low = at->mapping->address - bias, high = low + at->mapping->length;
	struct profile_run run;

	if (!runs_next(&guest->profile, low / PAGE_BYTES, high / PAGE_BYTES, written, &part->runs,
		       &run))
		return false;
	part->start = run.first * PAGE_BYTES + bias;
	part->end = part->start + run.pages * PAGE_BYTES;
	return true;
}

static bool is_worth_huge(const struct guest *guest, const struct mapped *at)
{
	struct part part = {.runs = 0};

	while (at->mapping->advice == MADV_NORMAL && next_part(guest, at, true, &part)) {
		struct huge_range huge = huge_range_mostly(part.start, part.end);

		if (huge.start < huge.end)
			return true;
	}
	return false;
}

/*
 * Fills the parts of the runs that are worth it with huge pages. Returns false if there are none,
 * or if the kernel has no huge page.
 */
static bool fill_huge(const struct guest *guest, const struct mapped *at)
{
	struct part part = {.runs = 0};
	struct huge_room room;
	bool filled = true;

	if (!is_worth_huge(guest, at) ||
	    !huge_room_open(&room, at->mapping->address, mapping_end(at->mapping)))
		return false;
	while (filled && next_part(guest, at, true, &part))
		filled = huge_room_fill(&room, huge_range_mostly(part.start, part.end));
	filled = filled && huge_room_move(&room, at->mapping->protection);
	huge_room_close(&room);
	return filled;
}

static void copy_in(int descriptor, uint64_t start, uint64_t end)
{
	while (start < end) {
		struct kernel_uffd_copy copy = {
		    .to = start,
		    .from = (uint64_t)resident_zeros,
		    .length = lower(end - start, ZEROS_BYTES),
		};

		if (userfaultfd_control(descriptor, KERNEL_UFFDIO_COPY, &copy) != 0)
			return;
		start += copy.length;
	}
}

/*
 * Fills the written pages of a mapping: with huge pages if possible, the rest by userfaultfd.
 * Returns false if that fails. Closing the descriptor unregisters the mapping.
 */
static bool copy_mapping(const struct guest *guest, const struct mapped *at)
{
	/*
	 * Called before the mapping is registered: a fault in a registered one would wait for an
	 * answer.
	 */
	bool huge = fill_huge(guest, at);
	int descriptor = userfaultfd_open(KERNEL_UFFD_USER_MODE_ONLY, 0);
	struct part part = {.runs = 0};
	bool works;

	if (descriptor < 0)
		return false;
	works = userfaultfd_register(descriptor, at->mapping->address, at->mapping->length,
				     KERNEL_UFFD_REGISTER_MODE_MISSING) == 0;
	while (works && next_part(guest, at, true, &part)) {
		struct huge_range filled = {part.end, part.end};

		if (huge)
			filled = huge_range_mostly(part.start, part.end);
		copy_in(descriptor, part.start, filled.start);
		copy_in(descriptor, filled.end, part.end);
	}
	close(descriptor);
	return works;
}

static bool copying_pays(const struct guest *guest, const struct mapped *at)
{
	struct part part = {.runs = 0};
	uint64_t bytes = 0;

	while (!at->mapping->from_file && next_part(guest, at, true, &part))
		bytes += part.end - part.start;
	return bytes >= COPYING_PAYS_BYTES;
}

/* Memory without a file that was only read is omitted: it is the one page of zeros. */
static void apply_written(const struct guest *guest, struct ranges *ranges)
{
	struct mapped at = {.object = NULL};

	while (guest_next_mapping(guest, &at)) {
		struct part part = {.runs = 0};

		if ((at.mapping->protection & PROT_WRITE) == 0 ||
		    (copying_pays(guest, &at) && copy_mapping(guest, &at)))
			continue;
		while (next_part(guest, &at, true, &part))
			add(ranges, part.start, part.end);
	}
}

/*
 * A page of a file brings in the cached pages around it, in aligned blocks of 64 KiB
 * (fault_around_bytes). Requesting those too would only make the kernel visit each of them again.
 */
static void apply_read(const struct guest *guest, struct ranges *ranges)
{
	struct mapped at = {.object = NULL};

	while (guest_next_mapping(guest, &at)) {
		struct part part = {.runs = 0};

		while (at.mapping->from_file && next_part(guest, &at, false, &part))
			for (uint64_t next; part.start < part.end; part.start = next) {
				next = (part.start | (FAULT_AROUND_BYTES - 1)) + 1;
				add(ranges, part.start, part.start + PAGE_BYTES);
			}
	}
}

/* How many bytes all runs need. Of each run only the part in the program's mappings counts. */
static uint64_t bytes_wanted(const struct guest *guest)
{
	struct mapped at = {.object = NULL};
	uint64_t bytes = 0;

	while (guest_next_mapping(guest, &at)) {
		struct part part = {.runs = 0};

		while (next_part(guest, &at, true, &part))
			bytes += part.end - part.start;
	}
	return bytes;
}

/*
 * A program may have far more .bss than it ever writes, and more than there is memory. A profile in
 * which all of it is written may be damaged, or from a larger machine.
 */
static bool has_room(const struct guest *guest)
{
	uint64_t wanted = bytes_wanted(guest), most;

	if (wanted <= LITTLE_BYTES)
		return true;
	most = memory_usable();
	if (wanted > most)
		report_detail("the %lu MiB of its profile are left to the kernel: %lu MiB is a "
			      "quarter of the memory that is available",
			      wanted >> 20, most >> 20);
	return wanted <= most;
}

void profile_apply(const struct guest *guest)
{
	struct ranges *ranges;

	if (!guest->has_profile || !has_room(guest))
		return;
	ranges = malloc(sizeof(*ranges));
	if (ranges == NULL)
		return;
	ranges->count = 0;
	ranges->advice = KERNEL_MADV_POPULATE_READ;
	apply_read(guest, ranges);
	populate(ranges);
	ranges->advice = KERNEL_MADV_POPULATE_WRITE;
	apply_written(guest, ranges);
	populate(ranges);
}
