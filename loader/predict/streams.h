/* What policies that follow several streams at a time share. */
#ifndef LOADER_PREDICT_STREAMS_H
#define LOADER_PREDICT_STREAMS_H

#include "loader/predict/predict.h"

#include <stddef.h>

/* The stream that expected this page, or NULL. */
static inline struct stream *stream_find(struct policy_state *state, uint64_t page)
{
	for (unsigned i = 0; i < POLICY_STREAMS; i++) {
		struct stream *stream = &state->streams[i];

		if (stream->window != 0 && (stream->up == page || stream->down == page))
			return stream;
	}
	return NULL;
}

/* An empty place, or that of the stream which has been right longest ago. */
static inline struct stream *stream_oldest(struct policy_state *state)
{
	struct stream *oldest = &state->streams[0];

	for (unsigned i = 1; i < POLICY_STREAMS; i++)
		if (state->streams[i].used < oldest->used)
			oldest = &state->streams[i];
	return oldest;
}

#endif
