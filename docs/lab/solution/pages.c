/* pages: brings pages of the program into memory. */
#include "pages.h"

#include <string.h>
#include <sys/mman.h>

/* MAP_FIXED_NOREPLACE: the kernel refuses where something is, which might be the pager. */
#define FLAGS (MAP_PRIVATE | MAP_FIXED_NOREPLACE | MAP_POPULATE)

static int map(uintptr_t from, uintptr_t to, int protection, int flags, int file, off_t offset)
{
	if (from >= to)
		return 0;
	return mmap((void *)from, to - from, protection, flags, file, offset) == (void *)from ? 0
											      : -1;
}

int bring_in(const struct program *program, const struct segment *segment, uintptr_t from,
	     uintptr_t to)
{
	uintptr_t file_pages_end = page_up(segment->file_end);
	uintptr_t middle = to < file_pages_end ? to : file_pages_end;

	if (middle < from)
		middle = from;
	if (map(from, middle, segment->protection, FLAGS, program->file,
		segment->offset + (off_t)(from - segment->start)) != 0)
		return -1;
	/* The page with the last bytes of the file: what follows there is zero, if it is anything.
	 */
	if (from < middle && middle == file_pages_end && (segment->protection & PROT_WRITE))
		memset((void *)segment->file_end, 0, file_pages_end - segment->file_end);
	return map(middle, to, segment->protection, FLAGS | MAP_ANONYMOUS, -1, 0);
}
