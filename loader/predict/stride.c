/*
 * `stride`: several streams, each with a distance of its own. A touch that no stream expects looks
 * for the stream whose last touch is nearest; the distance to it becomes that stream's, once it
 * has come twice. From then on pages that far apart are filled, twice as many each time.
 */
#include "loader/predict/streams.h"

/* Farther apart than this, touches have nothing to do with each other. */
#define NEAR_PAGES 64

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* The stream whose last touch is nearest; NULL when none is near. */
static struct stream *nearest(struct policy_state *state, uint64_t page)
{
	struct stream *best = NULL;

	for (unsigned i = 0; i < POLICY_STREAMS; i++) {
		struct stream *stream = &state->streams[i];

		if (stream->used == 0 || distance(page, stream->down) > NEAR_PAGES)
			continue;
		if (best == NULL || distance(page, stream->down) < distance(page, best->down))
			best = stream;
	}
	return best;
}

/*
 * In this policy, `down` is the stream's last touch, `up` the page expected next, `length` the
 * distance and `window` how many pages it brings in, 1 as long as the distance came only once.
 */
static struct prediction follow(struct policy_state *state, struct stream *stream, uint64_t page)
{
	bool upwards = page > stream->down;
	uint64_t step = stream->length, pages;
	struct prediction prediction = {
	    .first = page, .step = step, .bring = BRING_POPULATE, .reason = REASON_STRIDE};

	stream->window = predict_least(2 * stream->window, state->parameter);
	pages = upwards ? stream->window : predict_least(stream->window, page / step + 1);
	prediction.pages = pages;
	if (!upwards)
		prediction.first = page - (pages - 1) * step;
	/* What it has brought in is not seen: its last touch is the last page of the window. */
	stream->down = upwards ? page + (pages - 1) * step : prediction.first;
	stream->up = upwards ? stream->down + step : stream->down - step;
	return prediction;
}

struct prediction predict_stride(struct policy_state *state, const struct touch *touch)
{
	uint64_t page = touch->page;
	struct stream *stream = NULL;

	state->touches++;
	for (unsigned i = 0; i < POLICY_STREAMS && stream == NULL; i++)
		if (state->streams[i].length != 0 && state->streams[i].up == page)
			stream = &state->streams[i];
	if (stream != NULL) {
		stream->used = state->touches;
		return follow(state, stream, page);
	}
	stream = nearest(state, page);
	if (stream == NULL) {
		stream = stream_oldest(state);
		*stream = (struct stream){.down = page, .used = state->touches, .window = 1};
		return predict_one(touch);
	}
	stream->length = distance(page, stream->down);
	stream->up = page > stream->down ? page + stream->length : page - stream->length;
	stream->down = page;
	stream->window = 1;
	stream->used = state->touches;
	return predict_one(touch);
}
