/*
 * --explain: the loader tells what it reads, decides and does while it loads, and then each fault.
 * The order of the story is in explain.c; how each part is told, in one file for each format. Host
 * code.
 */
#ifndef LOADER_WATCH_NARRATOR_H
#define LOADER_WATCH_NARRATOR_H

#include "loader/guest.h"
#include "loader/resident/trace.h"
#include "loader/watch/watch.h"

struct narrator {
	void (*parts[STORY_PARTS])(const struct guest *guest);
	/* number: of a fault, from 1 on. */
	void (*event)(const struct guest *guest, const struct trace_event *event, uint64_t number);
	/* status: as wait(2) has it. fatal: the access that ended the program; NULL: not known. */
	void (*end)(const struct guest *guest, int status, const struct trace_event *fatal);
};

/*
 * explain_event() tells what the trace says while the program runs; explain_end() its status as
 * wait(2) has it.
 */
void explain_event(const struct guest *guest, const struct trace_event *event);
void explain_end(const struct guest *guest, int status);

extern const struct narrator explain_text; /* for people */
extern const struct narrator explain_json; /* for programs: an object a line */

#endif
