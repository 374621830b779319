/*
 * `adaptive`: fills ahead of walks, and stops paging lazily everywhere else.
 *
 * A touch just before or after the pages that a stream has brought in continues the stream. Then
 * its next pages are filled at once, twice as many each time. The most is 64 pages plus a 32nd of
 * what the stream has brought in so far; that bounds the waste when the stream ends. A stream of
 * HUGE_AFTER pages is worth pages of 2 MiB, which the kernel fills at one touch each.
 *
 * A touch that no stream expects may be the start of a stream, so the first three bring in nothing
 * else. If two distances between them are equal, the next pages at this distance are filled. The
 * more other touches follow each other, the more likely memory is touched at random. So from the
 * fourth on each reveals sixteen times as many pages as the last: revealed pages cost no memory and
 * raise no more signals. A stream that starts among them is noticed where they end.
 *
 * Memory that is only read is never filled: the kernel has one page of zeros for all of it. If the
 * kernel fills 2 MiB at any first touch, adaptive_blocks.c chooses how large a page is.
 */
#include "loader/predict/adaptive.h"

#include <stddef.h>

#define FIRST_WINDOW  8
#define LEAST_WINDOW  64 /* pages that a stream may reach, however short it is: 256 KiB */
#define GROWTH	      32 /* above that: this fraction of its length */
#define HUGE_AFTER    (8 * HUGE_PAGES)
#define HUGE_WINDOW   (8 * HUGE_PAGES)
#define READ_SPAN     16 /* pages revealed around a read page; twice as many each time */
#define WRITE_SPAN    64 /* around a written page; for fewer userfaultfd maps a page of zeros */
#define ALONE	      3	 /* unexpected writes in a row that bring in only their page */
#define DOUBLINGS_MAX 16 /* reaches 4 GiB and 16 GiB */

/* The stream that expected this page, or NULL. */
static struct stream *find(struct adaptive *adaptive, uint64_t page)
{
	for (unsigned i = 0; i < STREAMS; i++) {
		struct stream *stream = &adaptive->streams[i];

		if (stream->window != 0 && (stream->up == page || stream->down == page))
			return stream;
	}
	return NULL;
}

/* An empty entry, or the stream whose last hit is the oldest. */
static struct stream *oldest(struct adaptive *adaptive)
{
	struct stream *found = &adaptive->streams[0];

	for (unsigned i = 1; i < STREAMS; i++)
		if (adaptive->streams[i].used < found->used)
			found = &adaptive->streams[i];
	return found;
}

static struct prediction span_around(uint64_t page, uint64_t span, uint64_t doublings,
				     enum reason reason)
{
	return predict_around(page, span << lower(doublings, DOUBLINGS_MAX), reason);
}

/* Records where the stream continues, on both sides of the pages that are brought in now. */
static void expect(struct stream *stream, const struct prediction *prediction)
{
	stream->up = prediction->first + (prediction->pages - 1) * prediction->step + 1;
	stream->down = prediction->first - 1;
}

static struct prediction miss(struct adaptive *adaptive, const struct touch *touch)
{
	struct stream *stream = oldest(adaptive);
	struct prediction prediction = predict_one(touch);

	prediction.reason = REASON_BEGINS;
	if (!touch->write)
		prediction = span_around(touch->page, READ_SPAN, adaptive->reads++, REASON_READ);
	else if (block_is_whole(touch))
		prediction = block_miss(adaptive, touch);
	else if (touch->copies && walk_goes_on(&adaptive->walk, touch->page))
		prediction = walk_ahead(adaptive, touch);
	else if (adaptive->misses++ < ALONE)
		prediction.bring = BRING_POPULATE;
	else
		prediction = span_around(touch->page, WRITE_SPAN,
					 4 * (adaptive->misses - ALONE - 1), REASON_RANDOM);
	*stream = (struct stream){.used = adaptive->touches, .window = FIRST_WINDOW / 2};
	expect(stream, &prediction);
	return prediction;
}

/*
 * How many of the next pages are brought in as huge pages: each 2 MiB page must be inside the
 * region.
 */
static uint64_t huge_pages(const struct stream *stream, const struct touch *touch)
{
	uint64_t left = (touch->region_end - touch->page) / HUGE_PAGES * HUGE_PAGES;

	if (touch->huge_pages == HUGE_NEVER || stream->length < HUGE_AFTER ||
	    touch->page % HUGE_PAGES != 0)
		return 0;
	return lower(left, HUGE_WINDOW);
}

static struct prediction go_up(const struct stream *stream, const struct touch *touch)
{
	uint64_t huge = huge_pages(stream, touch), end = touch->region_end;
	uint64_t boundary = touch->page / HUGE_PAGES * HUGE_PAGES + HUGE_PAGES;
	bool near = stream->length + HUGE_PAGES >= HUGE_AFTER;

	if (huge != 0)
		return (struct prediction){touch->page, huge, 1, BRING_HUGE, REASON_STREAM_HUGE};
	/* Huge pages could start at the boundary. */
	if (touch->huge_pages == HUGE_ALWAYS || (touch->huge_pages == HUGE_ON_ADVICE && near))
		end = lower(end, boundary);
	return (struct prediction){touch->page, lower(stream->window, end - touch->page), 1,
				   BRING_POPULATE, REASON_STREAM_UP};
}

static struct prediction go_down(const struct stream *stream, const struct touch *touch)
{
	uint64_t pages = lower(stream->window, touch->page - touch->region_start + 1);

	if (touch->huge_pages == HUGE_ALWAYS)
		pages = lower(pages, touch->page % HUGE_PAGES + 1);
	return (struct prediction){touch->page - (pages - 1), pages, 1, BRING_POPULATE,
				   REASON_STREAM_DOWN};
}

struct prediction predict_adaptive(struct policy_state *state, const struct touch *touch)
{
	struct adaptive *adaptive = POLICY_MEMORY(struct adaptive, state);
	struct stream *stream = find(adaptive, touch->page);
	struct prediction prediction;

	/* What is known about one region does not apply to another. */
	if (touch->region_start != adaptive->region_start)
		adaptive->misses = adaptive->reads = adaptive->jumps = adaptive->dense = 0;
	adaptive->region_start = touch->region_start;
	adaptive->touches++;
	if (stream == NULL || !touch->write)
		return miss(adaptive, touch);
	adaptive->misses /= 2;
	adaptive->reads = 0;
	stream->used = adaptive->touches;
	stream->window = lower(2 * stream->window, LEAST_WINDOW + stream->length / GROWTH);
	if (block_is_whole(touch) && stream->length >= BLOCK_AFTER)
		prediction = block_stream(stream, touch);
	else
		prediction =
		    touch->page == stream->up ? go_up(stream, touch) : go_down(stream, touch);
	stream->length += prediction.pages;
	expect(stream, &prediction);
	return prediction;
}
