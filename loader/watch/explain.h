/*
 * --explain: the loader tells what it reads, decides and does while it loads, and then each fault.
 * The order of the story is in explain.c; how each part is told, in one file for each format.
 * Host code.
 */
#ifndef LOADER_EXPLAIN_H
#define LOADER_EXPLAIN_H

#include "loader/guest.h"
#include "loader/resident/trace.h"

/*
 * The parts of the story before the jump, in their order. STORY_HEADERS is told of each object, as
 * long as it is the last of guest->objects.
 */
enum story_part { STORY_HEADERS, STORY_MAPPINGS, STORY_STACK, STORY_JUMP, STORY_PARTS };

/* Tells a part, whose phase is over. Without effect if nobody asked for a story. */
void explain(const struct guest *guest, enum story_part part);

/*
 * explain_event() tells what the trace says while the program runs; explain_end() its status as
 * wait(2) has it.
 */
void explain_event(const struct guest *guest, const struct trace_event *event);
void explain_end(const struct guest *guest, int status);

#endif
