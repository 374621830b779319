#include "share/placement/hints.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Hints that there is room for in one piece more. */
#define MORE 64

int hints_add(struct hints *hints, const struct hint *hint)
{
	size_t size = sizeof(*hint), room = hints->room + MORE;

	if (hints->count == hints->room) {
		struct hint *more = mmap(NULL, page_ceil(room * size), PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (more == MAP_FAILED)
			return -ENOMEM;
		if (hints->count > 0)
			memcpy(more, hints->hints, hints->count * size);
		hints_forget(&(struct hints){.hints = hints->hints, .room = hints->room});
		hints->hints = more;
		hints->room = room;
	}
	hints->hints[hints->count++] = *hint;
	return 0;
}

const struct hint *hints_find(const struct hints *hints, uint64_t address)
{
	for (size_t i = hints->count; i > 0; i--)
		if (address >= hints->hints[i - 1].start && address < hints->hints[i - 1].end)
			return &hints->hints[i - 1];
	return NULL;
}

void hints_forget(struct hints *hints)
{
	if (hints->hints != NULL)
		munmap(hints->hints, page_ceil(hints->room * sizeof(struct hint)));
	*hints = (struct hints){.hints = NULL};
}
