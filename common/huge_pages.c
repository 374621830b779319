#include "common/huge_pages.h"

#include "common/kernel_abi.h"
#include "common/kernel_text.h"
#include "common/memory_map.h"
#include "common/page.h"
#include "common/placement/mover.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static uint64_t block_start(uint64_t address)
{
	return address & ~(HUGE_BYTES - 1);
}

static uint64_t block_end(uint64_t address)
{
	return block_start(address + HUGE_BYTES - 1);
}

bool huge_block_within(uint64_t start, uint64_t end)
{
	return block_end(start) < block_start(end);
}

struct huge_range huge_range_mostly(uint64_t start, uint64_t end)
{
	uint64_t first = block_start(start + HUGE_BYTES / 2);
	uint64_t last = block_start(end + HUGE_BYTES / 2 - 1);

	if (first >= last || end - start <= HUGE_BYTES / 2)
		return (struct huge_range){end, end};
	return (struct huge_range){start > first ? start : first, end < last ? end : last};
}

/* Whether the kernel has filled all of a block whose first page was populated. */
static bool came_whole(uint64_t block)
{
	unsigned char last = 0;

	return mincore((void *)(block + HUGE_BYTES - PAGE_BYTES), PAGE_BYTES, &last) == 0 &&
	       (last & 1) != 0;
}

static bool populate(uint64_t start, uint64_t end)
{
	return madvise((void *)start, end - start, KERNEL_MADV_POPULATE_WRITE) == 0;
}

/* Additional bytes of a room's memory: its start and its end may be any page of 2 MiB. */
#define ROOM_SLACK (3 * HUGE_BYTES)

static uint64_t room_bytes(const struct huge_room *room)
{
	return room->end - room->start + ROOM_SLACK;
}

/*
 * Fills the range with huge pages that are made elsewhere, in a mapping that requests them, and are
 * moved here. So the range's own mapping keeps no mark (MADV_HUGEPAGE), and pages that the program
 * drops come back one by one. Returns false, with nothing changed, if the kernel has no huge page
 * (transparent_hugepage is `never`) or cannot move one (before Linux 6.8).
 *
 * All of the room's memory is registered. A part would become a mapping of its own, and in Linux
 * 6.12 it stays one; and mremap moves only one mapping (before 6.17).
 */
static bool fill_by_moving(const struct huge_room *room, struct huge_range range)
{
	uint64_t length = range.end - range.start, from;
	void *pages = memory_map(length + HUGE_BYTES, MAP_NORESERVE);
	int mover = -1;
	bool moved, waits;

	if (pages == NULL)
		return false;
	from = ((uint64_t)pages + HUGE_BYTES - 1) & ~(HUGE_BYTES - 1);
	moved = (mover = mover_open(&waits)) >= 0 &&
		mover_register(mover, room->memory, room_bytes(room)) == 0 &&
		madvise((void *)from, length, MADV_HUGEPAGE) == 0 &&
		populate(from, from + PAGE_BYTES) && came_whole(from) &&
		populate(from, from + length) && mover_move(mover, from, range.start, length) == 0;
	if (mover >= 0)
		close(mover);
	munmap(pages, length + HUGE_BYTES);
	return moved;
}

/*
 * If huge pages always come, populating is enough. Otherwise MADV_COLLAPSE, which needs one page to
 * start with, makes a huge page of a block's pages. But the kernel then waits for every processor
 * to drain its lists of pages (lru_add_drain_all): milliseconds, if others are busy.
 */
static bool fill_in_place(struct huge_range range)
{
	for (uint64_t address = range.start; address < range.end; address += HUGE_BYTES) {
		if (!populate(address, address + PAGE_BYTES))
			return false;
		if (address == range.start && came_whole(address))
			return populate(range.start, range.end);
	}
	return madvise((void *)range.start, range.end - range.start, KERNEL_MADV_COLLAPSE) == 0;
}

bool huge_room_open(struct huge_room *room, uint64_t start, uint64_t end)
{
	uint64_t memory = (uint64_t)memory_map(end - start + ROOM_SLACK, 0);

	if (memory == 0)
		return false;
	*room = (struct huge_room){start, end, memory, block_end(memory) - block_start(start)};
	return true;
}

static void give_back(uint64_t start, uint64_t end)
{
	if (start < end)
		madvise((void *)start, end - start, MADV_DONTNEED);
}

bool huge_room_fill(const struct huge_room *room, struct huge_range range)
{
	uint64_t start = range.start + room->far, end = range.end + room->far;
	struct huge_range blocks = {block_start(start), block_end(end)};

	if (start == end)
		return true;
	if (!fill_by_moving(room, blocks) && !fill_in_place(blocks))
		return false;
	give_back(blocks.start, start);
	give_back(end, blocks.end);
	return true;
}

bool huge_room_move(const struct huge_room *room, int protection)
{
	uint64_t length = room->end - room->start;
	void *from = (void *)(room->start + room->far);

	return mprotect(from, length, protection) == 0 &&
	       mremap(from, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)room->start) !=
		   MAP_FAILED;
}

void huge_room_close(const struct huge_room *room)
{
	munmap((void *)room->memory, room_bytes(room));
}

/*
 * The first letter of the word in brackets, as in "always [madvise] never"; 0 if the file cannot be
 * read.
 */
static char chosen_word(const char *path)
{
	char text[64];
	const char *bracket = strchr(kernel_text(path, text, sizeof(text)), '[');

	return bracket != NULL ? bracket[1] : '\0';
}

/* Since Linux 6.8 each size has its own setting, which may be to inherit the general one. */
enum huge_pages huge_pages_setting(void)
{
	char word;

	if (prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1)
		return HUGE_NEVER;
	word = chosen_word("/sys/kernel/mm/transparent_hugepage/hugepages-2048kB/enabled");
	if (word == 0 || word == 'i')
		word = chosen_word("/sys/kernel/mm/transparent_hugepage/enabled");
	return word == 'a' ? HUGE_ALWAYS : word == 'm' ? HUGE_ON_ADVICE : HUGE_NEVER;
}
