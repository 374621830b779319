#include "common/huge_pages.h"

#include "common/kernel_abi.h"
#include "common/page.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

struct huge_range huge_range_within(uint64_t start, uint64_t end)
{
	struct huge_range range = {
	    .start = (start + HUGE_BYTES - 1) & ~(HUGE_BYTES - 1),
	    .end = end & ~(HUGE_BYTES - 1),
	};

	return range.start < range.end ? range : (struct huge_range){end, end};
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

/*
 * Where huge pages always come, populating is all that is wanted: MADV_COLLAPSE would only wait for
 * every processor to give back what it keeps of pages (lru_add_drain_all), to change nothing.
 * Elsewhere MADV_COLLAPSE leaves no mark on the mapping, as MADV_HUGEPAGE would: what the program
 * gives back comes again page by page. It wants a page to begin with.
 */
bool huge_range_fill(struct huge_range range)
{
	if (range.start == range.end)
		return true;
	for (uint64_t address = range.start; address < range.end; address += HUGE_BYTES) {
		if (!populate(address, address + PAGE_BYTES))
			return false;
		if (address == range.start && came_whole(address))
			return populate(range.start, range.end);
	}
	return madvise((void *)range.start, range.end - range.start, KERNEL_MADV_COLLAPSE) == 0;
}

/*
 * The first letter of the word in brackets, as in "always [madvise] never"; 0 where the file cannot
 * be read.
 */
static char chosen_word(const char *path)
{
	char text[64];
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = file < 0 ? 0 : read(file, text, sizeof(text));

	if (file >= 0)
		close(file);
	for (ssize_t i = 0; i + 1 < length; i++)
		if (text[i] == '[')
			return text[i + 1];
	return 0;
}

/* Since Linux 6.8 each size has a setting of its own, which may be to inherit the general one. */
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
