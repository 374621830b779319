/*
 * Brings the pages of a profile in before entry.
 *
 * Pages that the program is going to write in memory without a file come by huge pages where they
 * fill some, and are copied in by userfaultfd, which is the next cheapest way (docs/measuring.md).
 * All others are populated, as many ranges in one call as the kernel takes. Whatever does not work
 * is left to the kernel's own paging.
 */
#include "loader/profile/profile_apply.h"

#include "common/huge_pages.h"
#include "common/kernel_abi.h"
#include "common/page.h"
#include "loader/resident/room.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* In one process_madvise, which takes 1024 at most (IOV_MAX): half a page of them. */
#define RANGES_MAX 128

/* userfaultfd takes a few system calls to set up, which so many pages are worth. */
#define COPYING_PAYS_PAGES 64

#define FAULT_AROUND_BYTES (16 * PAGE_BYTES)

/* Ranges of one kind, gathered for one call. */
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
	/* Since Linux 6.13 a process may do anything to itself in this way. */
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

/* Calls each(start, end) for the part of every run of this kind that lies in the mapping. */
static void for_each_run(const struct guest *guest, const struct mapped *at, bool written,
			 void (*each)(void *context, uint64_t start, uint64_t end), void *context)
{
	/* What turns a page's number into its address. */
	uint64_t bias = at->object->plan.load_bias - at->object->first_page * PAGE_BYTES;
	uint64_t low = at->mapping->address - bias, high = low + at->mapping->length;

	for (size_t i = 0; i < guest->profile.count; i++) {
		const struct profile_run *run = &guest->profile.runs[i];
		uint64_t start = run->first * PAGE_BYTES, end = start + run->pages * PAGE_BYTES;

		start = start > low ? start : low;
		end = end < high ? end : high;
		if (run->written == written && start < end)
			each(context, start + bias, end + bias);
	}
}

static void count_pages(void *context, uint64_t start, uint64_t end)
{
	*(uint64_t *)context += (end - start) / PAGE_BYTES;
}

static void add_range(void *context, uint64_t start, uint64_t end)
{
	add(context, start, end);
}

/* What of a run is whole huge pages is filled by them, and the rest copied in by userfaultfd. */
struct filling {
	int descriptor;
	bool huge; /* the kernel fills: what is whole is there already */
};

static void fill_whole(void *context, uint64_t start, uint64_t end)
{
	struct filling *filling = context;
	struct huge_range whole = huge_range_within(start, end);

	filling->huge = filling->huge && (huge_range_fill(whole) ||
					  madvise((void *)whole.start, whole.end - whole.start,
						  KERNEL_MADV_POPULATE_WRITE) == 0);
}

static void copy_in(int descriptor, uint64_t start, uint64_t end)
{
	while (start < end) {
		uint64_t length = end - start < ZEROS_BYTES ? end - start : ZEROS_BYTES;
		struct kernel_uffd_copy copy = {
		    .to = start, .from = (uint64_t)resident_zeros, .length = length};

		if (syscall(SYS_ioctl, descriptor, KERNEL_UFFDIO_COPY, &copy) != 0)
			return;
		start += length;
	}
}

static void copy_rest(void *context, uint64_t start, uint64_t end)
{
	const struct filling *filling = context;
	struct huge_range whole =
	    filling->huge ? huge_range_within(start, end) : (struct huge_range){end, end};

	copy_in(filling->descriptor, start, whole.start);
	copy_in(filling->descriptor, whole.end, end);
}

/* False if it cannot be done in this way. Closing the descriptor lets go of the mapping. */
static bool copy_mapping(const struct guest *guest, const struct mapped *at)
{
	struct kernel_uffd_api api = {.api = KERNEL_UFFD_API};
	struct kernel_uffd_register range = {
	    .range = {.start = at->mapping->address, .length = at->mapping->length},
	    .mode = KERNEL_UFFD_REGISTER_MODE_MISSING,
	};
	struct filling filling = {.huge = true};
	bool works;

	/* Before userfaultfd hears of the mapping: a fault in it would wait for an answer. */
	for_each_run(guest, at, true, fill_whole, &filling);
	filling.descriptor = (int)syscall(SYS_userfaultfd, O_CLOEXEC | KERNEL_UFFD_USER_MODE_ONLY);
	works = filling.descriptor >= 0 &&
		syscall(SYS_ioctl, filling.descriptor, KERNEL_UFFDIO_API, &api) == 0 &&
		syscall(SYS_ioctl, filling.descriptor, KERNEL_UFFDIO_REGISTER, &range) == 0;
	if (works)
		for_each_run(guest, at, true, copy_rest, &filling);
	if (filling.descriptor >= 0)
		close(filling.descriptor);
	return works;
}

/* Memory without a file that was only read is left out: it is all one page of zeros. */
static void apply_written(const struct guest *guest, struct ranges *ranges)
{
	struct mapped at = {.object = NULL};

	while (guest_next_mapping(guest, &at)) {
		uint64_t pages = 0;

		if ((at.mapping->protection & PROT_WRITE) == 0)
			continue;
		for_each_run(guest, &at, true, count_pages, &pages);
		if (at.mapping->from_file || pages < COPYING_PAYS_PAGES ||
		    !copy_mapping(guest, &at))
			for_each_run(guest, &at, true, add_range, ranges);
	}
}

/*
 * A page of a file brings along those around it that are in the page cache, aligned blocks of 64
 * KiB (fault_around_bytes). To ask for them, too, only makes the kernel look at each once more.
 */
static void add_blocks(void *context, uint64_t start, uint64_t end)
{
	for (uint64_t next; start < end; start = next) {
		next = (start | (FAULT_AROUND_BYTES - 1)) + 1;
		add(context, start, start + PAGE_BYTES);
	}
}

static void apply_read(const struct guest *guest, struct ranges *ranges)
{
	struct mapped at = {.object = NULL};

	while (guest_next_mapping(guest, &at))
		if (at.mapping->from_file)
			for_each_run(guest, &at, false, add_blocks, ranges);
}

void profile_apply(const struct guest *guest)
{
	struct ranges *ranges;

	if (!guest->has_profile)
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
