/* Queries of a program: the layout of a process, a strategy as text, an error in words. */
#include "common/page.h"
#include "common/placement/layout.h"
#include "common/placement/strategy.h"
#include "share/placement/placement.h"

#include <errno.h>
#include <string.h>

struct filling {
	struct placement_page *pages;
	uint64_t start; /* address of the first one */
	uint64_t at;	/* of the next one that comes */
};

static void begin_mapping(const struct layout_mapping *mapping, void *context)
{
	((struct filling *)context)->at = mapping->start;
}

static void fill_page(const struct layout_page *page, void *context)
{
	static const enum placement_state states[LAYOUT_STATES] = {
	    [LAYOUT_FRAME] = PLACEMENT_FRAME,	  [LAYOUT_HIDDEN] = PLACEMENT_HIDDEN,
	    [LAYOUT_NONE] = PLACEMENT_ABSENT,	  [LAYOUT_FILE] = PLACEMENT_ABSENT,
	    [LAYOUT_SWAPPED] = PLACEMENT_SWAPPED,
	};
	struct filling *filling = context;

	filling->pages[(filling->at - filling->start) / PAGE_BYTES] = (struct placement_page){
	    .state = states[page->state],
	    .frame = page->frame,
	    .shared = page->shared,
	};
	filling->at += PAGE_BYTES;
}

int placement_layout(int process, const void *start, size_t length, struct placement_page *pages)
{
	struct filling filling = {.pages = pages, .start = (uint64_t)start};
	const struct layout_visitor visitor = {begin_mapping, fill_page, &filling};
	struct error error;
	uint64_t end;

	if (page_offset(filling.start | length) != 0 || process < 0 ||
	    !checked_add(filling.start, length, &end))
		return -EINVAL;
	for (size_t i = 0; i < length / PAGE_BYTES; i++)
		pages[i] = (struct placement_page){.state = PLACEMENT_ABSENT};
	return layout_read(process, filling.start, end, &visitor, &error) ? 0 : -EACCES;
}

int placement_parse(const char *text, struct placement_strategy *strategy)
{
	static const enum placement_kind kinds[] = {
	    [STRATEGY_NONE] = PLACEMENT_NONE,
	    [STRATEGY_EXACT] = PLACEMENT_EXACT,
	    [STRATEGY_MODULO] = PLACEMENT_MODULO,
	    [STRATEGY_COLORING] = PLACEMENT_COLORING,
	    [STRATEGY_BIN_HOPPING] = PLACEMENT_BIN_HOPPING,
	};
	struct frame_strategy internal;
	struct error error;

	/* Without BINS there are none, and with a file no frames. */
	if (!strategy_parse("", text, 0, &internal, &error) || internal.kind == STRATEGY_EXACT ||
	    (internal.kind != STRATEGY_NONE && internal.base == 0))
		return -EINVAL;
	*strategy = (struct placement_strategy){
	    .kind = kinds[internal.kind],
	    .base = internal.base,
	    .result = internal.result,
	};
	return 0;
}

const char *placement_error(int error)
{
	switch (-error) {
	case 0:
		return "nothing is wrong";
	case EPERM:
		return "this strategy needs the numbers of frames, which the kernel shows only "
		       "with CAP_SYS_ADMIN: run as root, or take bins that divide 512";
	case EOPNOTSUPP:
		return "without CAP_SYS_ADMIN colors are found in 2 MiB pages, and the kernel "
		       "gives "
		       "none: run as root, or allow transparent huge pages";
	case EINVAL:
		return "the strategy has no such numbers, or the range is not whole pages of "
		       "private, "
		       "anonymous memory, or holds the caller's own stack";
	case ENOMEM:
		return "there is no memory for the pool of frames, or the range is not mapped";
	case EBUSY:
		return "somebody else has a userfaultfd for the range";
	case EACCES:
		return "/proc does not show the process: ask as its owner, or as root";
	default:
		return strerror(-error);
	}
}
