/* How a story is told: in one way for people, in another for programs. */
#ifndef LOADER_WATCH_NARRATOR_H
#define LOADER_WATCH_NARRATOR_H

#include "loader/guest.h"
#include "loader/resident/trace.h"
#include "loader/watch/explain_stack.h"

struct narrator {
	void (*header)(const struct guest *guest, const struct object *object);
	void (*segment)(const struct object *object, unsigned index);
	void (*before_mappings)(const struct guest *guest, const struct object *object);
	void (*mapping)(const struct object *object, unsigned index);
	void (*after_mappings)(const struct guest *guest); /* NULL: nothing is told there */
	void (*before_stack)(void);
	stack_word_teller *word;
	void (*jump)(const struct guest *guest);
	void (*event)(const struct guest *guest, const struct trace_event *event, uint64_t number);
	/* fatal: the access that has ended it; NULL if that is not known. */
	void (*end)(const struct guest *guest, int status, const struct trace_event *fatal);
};

extern const struct narrator explain_text; /* for people */
extern const struct narrator explain_json; /* for programs: an object a line */

#endif
