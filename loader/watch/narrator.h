/* How a story is told: in one way for people, in another for programs. */
#ifndef LOADER_WATCH_NARRATOR_H
#define LOADER_WATCH_NARRATOR_H

#include "loader/guest.h"
#include "loader/resident/trace.h"
#include "loader/watch/explain.h"

struct narrator {
	void (*parts[STORY_PARTS])(const struct guest *guest);
	/* number: of a fault, from 1 on. */
	void (*event)(const struct guest *guest, const struct trace_event *event, uint64_t number);
	/* status: as wait(2) has it. fatal: the access that ended the program; NULL: not known. */
	void (*end)(const struct guest *guest, int status, const struct trace_event *fatal);
};

extern const struct narrator explain_text; /* for people */
extern const struct narrator explain_json; /* for programs: an object a line */

#endif
