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
 * Each tells a phase, and is called when that is over. Without effect if nobody asked for a story.
 */
void explain_headers(const struct guest *guest, const struct object *object);
void explain_mappings(const struct guest *guest);
void explain_stack(const struct guest *guest);
void explain_jump(const struct guest *guest);

/*
 * explain_event() tells what the trace says while the program runs; explain_end() its status as
 * wait(2) has it.
 */
void explain_event(const struct guest *guest, const struct trace_event *event);
void explain_end(const struct guest *guest, int status);

#endif
