/* --explain for people: what happens after the jump, and the end. */
#ifndef LOADER_WATCH_EXPLAIN_TEXT_EVENTS_H
#define LOADER_WATCH_EXPLAIN_TEXT_EVENTS_H

#include "loader/guest.h"
#include "loader/resident/trace.h"

void explain_text_event(const struct guest *guest, const struct trace_event *event,
			uint64_t number);
void explain_text_end(const struct guest *guest, int status, const struct trace_event *fatal);

#endif
