/*
 * `adaptive` when transparent huge pages are always on: how large should a page be?
 *
 * The kernel fills a whole block, 2 MiB, at the first touch of any of its pages, unless a page is
 * there already. That costs as much as twenty to forty signals. If all of a block will be used, as
 * by a stream, this is the cheapest way. If only a few of its pages are used, it takes up to 512
 * times too much memory. So a block starts with single pages, and becomes a huge page when there is
 * a reason: a stream runs through it; or so many of its pages were touched that the signals have
 * cost as much; or a few were touched, in a region where other blocks had as many.
 *
 * All blocks of a region become huge when touches jump from block to block, so that memory is
 * touched at random. In a small region, where little memory can be lost, a few jumps are enough. In
 * a larger one the jumps have to return again and again to blocks that they had left; the larger
 * the region, the more often.
 *
 * A walk with equal steps is neither. The pages that it will touch are filled ahead (as they are
 * where no huge pages come), if there are few of them in a block. Blocks that lie only partly
 * inside the region are filled page by page by the kernel, too.
 */
#include "loader/predict/adaptive.h"

#define TOUCHES_MAX    24 /* pages of a block; never more than the region has blocks */
#define TOUCHES_LEAST  3  /* used after some blocks had as many touches */
#define SMALL_BLOCKS   32 /* a region of up to 64 MiB */
#define SMALL_JUMPS    4  /* jumps that are enough in a small region */
#define RETURNS_BLOCKS 24 /* returns per block: one, and one more for this many blocks */
#define RETURNS_MOST   8  /* the most returns per block */
#define STREAM_BLOCKS  64
#define WALK_STEP      16 /* pages; with a shorter step a huge page is cheaper */
#define WALK_FIRST     4  /* pages that a walk brings in after two hits */
#define WALK_MOST      64 /* pages that a walk may reach, however short it is */
#define WALK_GROWTH    32 /* above WALK_MOST: this fraction of what it has brought in */

static uint64_t block_start(const struct touch *touch)
{
	return touch->page / HUGE_PAGES * HUGE_PAGES;
}

bool block_is_whole(const struct touch *touch)
{
	uint64_t start = block_start(touch);

	return touch->huge_pages == HUGE_ALWAYS && start >= touch->region_start &&
	       touch->region_end - start >= HUGE_PAGES;
}

static uint64_t region_blocks(const struct touch *touch)
{
	return (touch->region_end - touch->region_start) / HUGE_PAGES;
}

static bool is_random(const struct adaptive *adaptive, const struct touch *touch)
{
	uint64_t blocks = region_blocks(touch);
	uint64_t returns = lower(1 + blocks / RETURNS_BLOCKS, RETURNS_MOST) * blocks;

	return adaptive->jumps >= (blocks <= SMALL_BLOCKS ? SMALL_JUMPS : returns);
}

static bool is_dense(const struct adaptive *adaptive, const struct touch *touch)
{
	uint64_t touches = lower(TOUCHES_MAX, region_blocks(touch)) >> lower(adaptive->dense, 5);

	return touch->block_pages >= (touches > TOUCHES_LEAST ? touches : TOUCHES_LEAST);
}

/*
 * All whole blocks of the region. Each would be filled whole at its next touch anyway. Revealing
 * all costs one signal, and blocks that are not touched cost nothing.
 */
static struct prediction all_blocks(const struct touch *touch)
{
	uint64_t first = (touch->region_start + HUGE_PAGES - 1) / HUGE_PAGES * HUGE_PAGES;
	uint64_t end = touch->region_end / HUGE_PAGES * HUGE_PAGES;

	return (struct prediction){first, end - first, 1, BRING_BLOCK, REASON_BLOCK_RANDOM};
}

static struct prediction one_block(struct adaptive *adaptive, const struct touch *touch)
{
	adaptive->dense++;
	return (struct prediction){block_start(touch), HUGE_PAGES, 1, BRING_BLOCK,
				   REASON_BLOCK_DENSE};
}

bool walk_goes_on(struct walk *walk, uint64_t page)
{
	uint64_t distance = page - walk->last;

	walk->last = page;
	if (distance == walk->distance && distance != 0)
		return true;
	*walk = (struct walk){.last = page, .distance = distance};
	return false;
}

/*
 * The number of pages that a walk with this step can still touch in the region, including the
 * touched one.
 */
static uint64_t walk_room(const struct walk *walk, const struct touch *touch, uint64_t step)
{
	uint64_t pages = walk->distance == step ? touch->region_end - 1 - touch->page
						: touch->page - touch->region_start;

	return pages / step + 1;
}

/* The distance in either direction, in pages. */
static uint64_t step_of(const struct walk *walk)
{
	return lower(walk->distance, -walk->distance);
}

struct prediction walk_ahead(struct adaptive *adaptive, const struct touch *touch)
{
	struct walk *walk = &adaptive->walk;
	uint64_t step = step_of(walk);
	uint64_t pages = walk->window != 0 ? 2 * walk->window : WALK_FIRST;

	adaptive->misses /= 2;
	pages = lower(pages, WALK_MOST + walk->length / WALK_GROWTH);
	walk->window = pages = lower(pages, walk_room(walk, touch, step));
	walk->length += pages;
	walk->last = touch->page + (pages - 1) * walk->distance;
	return (struct prediction){lower(touch->page, walk->last), pages, step, BRING_POPULATE,
				   REASON_WALK};
}

struct prediction block_miss(struct adaptive *adaptive, const struct touch *touch)
{
	struct walk *walk = &adaptive->walk;
	struct prediction prediction = predict_one(touch);
	uint64_t start = block_start(touch);

	if (walk_goes_on(walk, touch->page))
		return step_of(walk) < WALK_STEP ? one_block(adaptive, touch)
						 : walk_ahead(adaptive, touch);
	if (start != adaptive->last_block &&
	    (touch->block_pages != 0 || region_blocks(touch) <= SMALL_BLOCKS))
		adaptive->jumps++;
	adaptive->last_block = start;
	if (is_random(adaptive, touch))
		return all_blocks(touch);
	if (is_dense(adaptive, touch))
		return one_block(adaptive, touch);
	prediction.bring = BRING_POPULATE;
	prediction.reason = REASON_BLOCK_SPARSE;
	return prediction;
}

/*
 * Predicts the block, and as many more pages as the stream has brought in: they cost nothing until
 * touched.
 */
struct prediction block_stream(const struct stream *stream, const struct touch *touch)
{
	uint64_t start = block_start(touch), first = touch->region_start + HUGE_PAGES - 1;
	uint64_t blocks = lower(stream->length / HUGE_PAGES + 1, STREAM_BLOCKS), left;

	if (touch->page == stream->up)
		left = (touch->region_end - start) / HUGE_PAGES;
	else
		left = (start - first / HUGE_PAGES * HUGE_PAGES) / HUGE_PAGES + 1;
	blocks = lower(blocks, left);
	if (touch->page != stream->up)
		start -= (blocks - 1) * HUGE_PAGES;
	return (struct prediction){start, blocks * HUGE_PAGES, 1, BRING_BLOCK, REASON_BLOCK_STREAM};
}
