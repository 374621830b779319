#include "common/placement/pool_frames.h"

#include "common/kernel_abi.h"
#include "common/pagemap.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* After this many pieces without a huge page the search gives up. */
#define PIECES_WITHOUT 8

/* A free block (linux/kernel-page-flags.h: KPF_BUDDY). */
#define IS_FREE (UINT64_C(1) << 10)

/* Returned for a number of bytes if its file cannot be opened. */
#define BYTES_UNKNOWN UINT64_MAX

/*
 * Whether the kernel shows frame numbers to this process. Tested with a page that is certainly
 * present.
 */
static bool has_numbers(int pagemap)
{
	volatile uint64_t here = 0;
	uint64_t entry;

	return pagemap_read(pagemap, (uint64_t)&here, &entry, 1) == 1 &&
	       (entry & KERNEL_PAGEMAP_FRAME) != 0;
}

enum frames_found pool_frames_begin(struct pool_frames *frames, uint64_t base, uint64_t pieces)
{
	*frames = (struct pool_frames){.pagemap = pagemap_open()};
	frames->has_numbers = frames->pagemap >= 0 && has_numbers(frames->pagemap);
	frames->takes_turns = frames->has_numbers && base == FRAME_EXACT;
	if (frames->takes_turns)
		turns_begin(&frames->turns, pieces);
	if (frames->has_numbers || (base <= HUGE_PAGES && HUGE_PAGES % base == 0))
		return FRAMES_FOUND;
	return frames->pagemap < 0 ? FRAMES_NO_FILE : FRAMES_NEED_PRIVILEGE;
}

static bool populate(uint64_t start)
{
	if (madvise((void *)start, HUGE_BYTES, KERNEL_MADV_POPULATE_WRITE) == 0)
		return true;
	/* Linux before 5.14 lacks this call. */
	for (uint64_t at = start; errno == EINVAL && at < start + HUGE_BYTES; at += PAGE_BYTES)
		*(volatile char *)at = 0;
	return errno == EINVAL;
}

/*
 * Bytes in huge pages of the mapping that contains an address: "AnonHugePages: 2048 kB" (proc(5)).
 */
static uint64_t huge_bytes_at(uint64_t address)
{
	FILE *smaps = fopen("/proc/self/smaps", "re");
	uint64_t start, end, kilobytes = 0;
	bool inside = false;
	char line[512];

	if (smaps == NULL)
		return BYTES_UNKNOWN;
	while (fgets(line, sizeof(line), smaps) != NULL) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &start, &end) == 2)
			inside = start <= address && address < end;
		else if (inside && sscanf(line, "AnonHugePages: %" SCNu64, &kilobytes) == 1)
			break;
	}
	fclose(smaps);
	return kilobytes << 10;
}

static void mark_pages(uint64_t start, uint64_t mark)
{
	for (uint64_t i = 0; i < HUGE_PAGES; i++)
		*(volatile uint64_t *)(start + i * PAGE_BYTES) = mark;
}

/*
 * Splits a huge page into ordinary pages on the same frames: advice for a part of it does that
 * (madvise_cold_or_pageout_pte_range()). Pages of zeros would be replaced by the kernel's shared
 * one (try_to_map_unused_to_zeropage(), Linux 6.12), so every page is non-zero meanwhile.
 */
static bool split(uint64_t start)
{
	bool done;

	mark_pages(start, 1);
	madvise((void *)start, PAGE_BYTES, MADV_COLD);
	madvise((void *)start, HUGE_BYTES, MADV_NOHUGEPAGE);
	done = huge_bytes_at(start) == 0;
	mark_pages(start, 0);
	return done;
}

/* Gets a huge page. Pieces that are not huge pages are skipped. */
static enum frames_found get_huge(struct pool_frames *frames, uint64_t start, uint64_t *numbers)
{
	uint64_t bytes;
	bool huge;

	if (madvise((void *)start, HUGE_BYTES, MADV_HUGEPAGE) != 0)
		return FRAMES_NEED_HUGE_PAGES;
	if (!populate(start))
		return FRAMES_NO_MEMORY;
	bytes = huge_bytes_at(start);
	if (bytes == BYTES_UNKNOWN)
		return FRAMES_NO_FILE;
	huge = bytes == HUGE_BYTES && split(start);
	for (uint64_t i = 0; i < HUGE_PAGES; i++)
		numbers[i] = huge ? i : FRAME_UNKNOWN;
	frames->huge_pieces += huge;
	frames->pieces++;
	return frames->huge_pieces == 0 && frames->pieces == PIECES_WITHOUT ? FRAMES_NEED_HUGE_PAGES
									    : FRAMES_FOUND;
}

bool pool_frames_single(const struct pool_frames *frames, uint64_t start)
{
	return !frames->huge || huge_bytes_at(start) == 0 || split(start);
}

enum frames_found pool_frames_get(struct pool_frames *frames, uint64_t start, uint64_t *numbers)
{
	if (!frames->has_numbers)
		return get_huge(frames, start, numbers);
	frames->huge = frames->takes_turns && turns_take(&frames->turns, frames->pieces);
	frames->pieces++;
	/*
	 * The caller has examined the previous piece, so that piece may get other flags. This piece
	 * thereby becomes a mapping of its own, as huge_bytes_at() requires.
	 */
	if (frames->huge)
		madvise((void *)(start - HUGE_BYTES), HUGE_BYTES, MADV_NOHUGEPAGE);
	madvise((void *)start, HUGE_BYTES, frames->huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	if (!populate(start))
		return FRAMES_NO_MEMORY;
	if (pagemap_read(frames->pagemap, start, numbers, HUGE_PAGES) != (long)HUGE_PAGES)
		return FRAMES_NEED_PRIVILEGE;
	for (uint64_t i = 0; i < HUGE_PAGES; i++)
		numbers[i] = (numbers[i] & KERNEL_PAGEMAP_PRESENT)
				 ? numbers[i] & KERNEL_PAGEMAP_FRAME
				 : FRAME_UNKNOWN;
	return FRAMES_FOUND;
}

void pool_frames_end(struct pool_frames *frames)
{
	if (frames->takes_turns)
		turns_end(&frames->turns);
	if (frames->pagemap >= 0)
		close(frames->pagemap);
}

int frame_use_open(void)
{
	return open("/proc/kpageflags", O_RDONLY | O_CLOEXEC);
}

enum frame_use frame_use_of(int flags, uint64_t frame)
{
	uint64_t entry;

	if (flags < 0 ||
	    pread(flags, &entry, sizeof(entry), (off_t)(frame * sizeof(entry))) != sizeof(entry))
		return FRAME_NOT_TOLD;
	return entry == 0 || (entry & IS_FREE) != 0 ? FRAME_FREE : FRAME_IN_USE;
}
