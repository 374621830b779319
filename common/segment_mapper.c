#include "common/segment_mapper.h"
#include "common/huge_pages.h"
#include "common/kernel_abi.h"
#include "common/kernel_text.h"
#include "common/page.h"
#include "common/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/*
 * Lower addresses cannot be mapped. The second number is most systems' limit, used if /proc is
 * missing.
 */
#define MMAP_LEAST	 "/proc/sys/vm/mmap_min_addr"
#define MMAP_LEAST_USUAL 65536

const char *protection_text(int protection)
{
	/* indexed by PROT_READ, PROT_WRITE and PROT_EXEC: bits 0 to 2 */
	static const char texts[][4] = {"---", "r--", "-w-", "rw-", "--x", "r-x", "-wx", "rwx"};

	return texts[protection & (PROT_READ | PROT_WRITE | PROT_EXEC)];
}

/*
 * Bytes that are kept free after a position-independent program until the loader leaves. Otherwise
 * the kernel would place the loader's own mappings or the vDSO's there, and in a native run an
 * access there is a fault.
 */
#define GAP_BYTES (UINT64_C(1) << 20)

static void *reserve(uint64_t hint, uint64_t length)
{
	return mmap((void *)hint, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		    -1, 0);
}

/* Unmaps [start, start + length) except for the wanted part. */
static void trim(uint64_t start, uint64_t length, uint64_t wanted, uint64_t wanted_length)
{
	uint64_t end = start + length, wanted_end = wanted + wanted_length;

	if (wanted > start)
		munmap((void *)start, wanted - start);
	if (end > wanted_end)
		munmap((void *)wanted_end, end - wanted_end);
}

/* Reserves the span at exactly this address, or fails. */
static bool reserve_at(const struct load_span *span, uint64_t hint, struct reservation *reservation)
{
	uint64_t load_bias = (hint - span->start) & ~(span->alignment - 1);
	uint64_t start = load_bias + span->start;
	void *room = hint != 0 ? reserve(start, span->length) : MAP_FAILED;

	if (room == (void *)start) {
		*reservation = (struct reservation){load_bias, start + span->length};
		return true;
	}
	if (room != MAP_FAILED)
		munmap(room, span->length);
	return false;
}

bool segments_reserve(const struct load_span *span, uint64_t hint, struct reservation *reservation,
		      struct error *error)
{
	uint64_t slack = span->alignment - PAGE_BYTES, base;
	void *room = MAP_FAILED;

	if (reserve_at(span, hint, reservation))
		return true;
	if (span->length + slack >= span->length &&
	    span->length + slack + GAP_BYTES < USER_ADDRESS_END)
		room = reserve(0, span->length + slack + GAP_BYTES);
	if (room == MAP_FAILED && slack != 0) {
		report_detail("no room to align by 0x%lx bytes; aligned by a page instead",
			      span->alignment);
		slack = 0;
		room = reserve(0, span->length + GAP_BYTES);
	}
	if (room == MAP_FAILED)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "needs %lu bytes of address space: %s; %s", span->length,
				 strerror(errno), error_memory_remedy());
	/* The boundary counts from the file's address 0, so that every p_align holds. */
	base = (((uint64_t)room - span->start + slack) & ~slack) + span->start;
	trim((uint64_t)room, span->length + slack + GAP_BYTES, base, span->length + GAP_BYTES);
	*reservation = (struct reservation){base - span->start, base + span->length + GAP_BYTES};
	return true;
}

/* The remedy if a mapping failed and its address is not the cause. */
static const char *remedy(const struct plan_mapping *mapping, int reason)
{
	if (reason == ENOMEM)
		return error_memory_remedy();
	if ((reason == EPERM || reason == EACCES) && (mapping->protection & PROT_EXEC) != 0)
		return ERROR_NO_EXECUTABLE_MEMORY;
	return "see mmap(2) for what can forbid it";
}

static bool refuse(const struct plan_mapping *mapping, int reason, struct error *error)
{
	uint64_t end = mapping_end(mapping);

	if (reason == EEXIST)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "is linked at 0x%lx-0x%lx, where the loader, its stack, the vDSO "
				 "or proot already is: link it elsewhere "
				 "(-Wl,-Ttext-segment=0x10000000)",
				 mapping->address, end);
	if (reason == EPERM && mapping->address < kernel_number(MMAP_LEAST, MMAP_LEAST_USUAL))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "is linked at 0x%lx-0x%lx, below vm.mmap_min_addr: link it higher "
				 "(-Wl,-Ttext-segment=0x400000)",
				 mapping->address, end);
	return error_set(error, EXIT_NOT_LOADABLE, "cannot be mapped at 0x%lx-0x%lx: %s; %s",
			 mapping->address, end, strerror(reason), remedy(mapping, reason));
}

bool segments_read_page(const struct plan_mapping *mapping, int descriptor, uint64_t page,
			void *into, struct error *error)
{
	uint64_t end = mapping->zero_from != 0 ? mapping->zero_from : mapping_end(mapping);
	uint64_t length = end - page < PAGE_BYTES ? end - page : PAGE_BYTES;
	uint64_t offset = mapping->file_offset + (page - mapping->address);

	return pread(descriptor, into, length, (off_t)offset) >= 0 ||
	       error_set(error, EXIT_NOT_LOADABLE,
			 "cannot be read at 0x%lx: %s; copy it to another disk", offset,
			 strerror(errno));
}

const char *presence_text(enum presence presence)
{
	static const char texts[][28] = {
	    [PRESENCE_RESIDENT] = "resident at entry",
	    [PRESENCE_HIDDEN] = "hidden until touched",
	    [PRESENCE_PLACED] = "placed before entry",
	    [PRESENCE_NATIVE] = "left to the kernel's paging",
	};

	return texts[presence];
}

static void report_mapping(const struct plan_mapping *mapping)
{
	char source[40] = "zero-filled";

	if (!report_is_verbose())
		return;
	if (mapping->from_file)
		snprintf(source, sizeof(source), "file offset 0x%lx", mapping->file_offset);
	report_detail("map 0x%lx-0x%lx, %lu bytes, %s, %s: %s of program header %u, %s",
		      mapping->address, mapping_end(mapping), mapping->length,
		      protection_text(mapping->protection), source,
		      mapping->from_file ? "file data" : ".bss", mapping->segment,
		      presence_text(mapping->presence));
}

/* Clears the mapping's last page after the file data. */
static void clear_tail(const struct plan_mapping *mapping)
{
	if (mapping->zero_from != 0)
		memset((void *)mapping->zero_from, 0, mapping_end(mapping) - mapping->zero_from);
}

/* Makes one mmap; the flags include MAP_FIXED or MAP_FIXED_NOREPLACE. */
static bool place(const struct plan_mapping *mapping, int flags, int descriptor,
		  struct error *error)
{
	void *wanted = (void *)mapping->address, *got;

	bool of_file = mapping->from_file && mapping->presence != PRESENCE_PLACED;

	if (!of_file)
		flags |= MAP_ANONYMOUS;
	got = mmap(wanted, mapping->length, mapping->protection, MAP_PRIVATE | flags,
		   of_file ? descriptor : -1, of_file ? (off_t)mapping->file_offset : 0);
	if (got == MAP_FAILED)
		return refuse(mapping, errno, error);
	if (got != wanted) { /* before Linux 4.17 MAP_FIXED_NOREPLACE is only a hint */
		munmap(got, mapping->length);
		return refuse(mapping, EEXIST, error);
	}
	if (mapping->advice != MADV_NORMAL)
		madvise(wanted, mapping->length, mapping->advice);
	return true;
}

/*
 * The end of a run of adjacent mappings that are all made resident, and are all writable or all
 * not.
 */
static unsigned run_end(const struct load_plan *plan, unsigned first)
{
	const struct plan_mapping *m = plan->mappings;
	unsigned end = first + 1;

	while (end < plan->count && m[end].presence == PRESENCE_RESIDENT &&
	       m[end].address == m[end - 1].address + m[end - 1].length &&
	       ((m[end].protection ^ m[first].protection) & PROT_WRITE) == 0)
		end++;
	return end;
}

/*
 * Fills the part of the mapping that is worth huge pages. If that fails, nothing of it is filled.
 */
static void fill_huge(const struct plan_mapping *mapping)
{
	struct huge_range huge = huge_range_mostly(mapping->address, mapping_end(mapping));
	struct huge_room room;

	if ((mapping->protection & PROT_WRITE) == 0 || huge.start == huge.end ||
	    !huge_room_open(&room, mapping->address, mapping_end(mapping)))
		return;
	if (huge_room_fill(&room, huge))
		huge_room_move(&room, mapping->protection);
	huge_room_close(&room);
}

/*
 * Fills every page that is made resident, adjacent mappings in one call. The kernel may lack that
 * call (before Linux 5.14), or stop at a page that cannot be filled, such as one beyond the end of
 * the file. Then each mapping is made again with MAP_POPULATE, which skips such pages.
 */
static bool populate(const struct load_plan *plan, int descriptor, struct error *error)
{
	unsigned end;

	for (unsigned first = 0; first < plan->count; first = end) {
		const struct plan_mapping *from = &plan->mappings[first], *last;

		end = run_end(plan, first);
		last = &plan->mappings[end - 1];
		if (from->presence != PRESENCE_RESIDENT)
			continue;
		for (const struct plan_mapping *mapping = from; mapping <= last; mapping++)
			if (!mapping->from_file && mapping->advice == MADV_NORMAL)
				fill_huge(mapping);
		if (madvise((void *)from->address, mapping_end(last) - from->address,
			    (from->protection & PROT_WRITE) ? KERNEL_MADV_POPULATE_WRITE
							    : KERNEL_MADV_POPULATE_READ) == 0)
			continue;
		for (; from <= last; from++)
			if (!place(from, MAP_FIXED | MAP_POPULATE, descriptor, error))
				return false;
	}
	return true;
}

void segments_unmap_gaps(const struct load_plan *plan, const struct reservation *reservation)
{
	for (unsigned i = 0; i < plan->count && !plan->fixed_address; i++) {
		const struct plan_mapping *this = &plan->mappings[i];
		uint64_t end = mapping_end(this);
		uint64_t next = i + 1 < plan->count ? this[1].address : reservation->end;

		if (end < next)
			munmap((void *)end, next - end);
	}
}

bool segments_map(const struct load_plan *plan, int descriptor, struct error *error)
{
	int fixed = plan->fixed_address ? MAP_FIXED_NOREPLACE : MAP_FIXED;

	for (unsigned i = 0; i < plan->count; i++) {
		if (!place(&plan->mappings[i], fixed, descriptor, error))
			return false;
		report_mapping(&plan->mappings[i]);
	}
	if (!populate(plan, descriptor, error))
		return false;
	for (unsigned i = 0; i < plan->count; i++)
		if (plan->mappings[i].presence != PRESENCE_HIDDEN &&
		    plan->mappings[i].presence != PRESENCE_PLACED)
			clear_tail(&plan->mappings[i]);
	return true;
}
