/*
 * What the loader calls so that a run can be watched, in the order of the calls. A program that is
 * watched is a child process of the loader, with memory of its own. The loader waits for the child.
 * The child's memory is held beyond its end (loader/hold/hold.h), so that the loader can count its
 * pages afterwards, however the program ended: by exit or by a signal, SIGKILL included. Host code.
 */
#ifndef LOADER_WATCH_WATCH_H
#define LOADER_WATCH_WATCH_H

#include "loader/guest.h"
#include "loader/hold/hold.h"

#include <sys/resource.h>

/*
 * --explain: the parts of the story before the jump, in their order. STORY_HEADERS is told of each
 * object, as long as it is the last of guest->objects.
 */
enum story_part { STORY_HEADERS, STORY_MAPPINGS, STORY_STACK, STORY_JUMP, STORY_PARTS };

/* Tells a part, whose phase is over. Without effect if nobody asked for a story. */
void explain(const struct guest *guest, enum story_part part);

/*
 * --plan: prints the load plan as a table on standard output, and after it the interpreter's. False
 * if it cannot be written.
 */
bool plan_print(const struct guest *guest);

/*
 * Opens the files of --stats, --trace, --order, --record and --layout, which changes none of them
 * (common/output_file.h). Before that it refuses to write over a program: a name that was meant to
 * be run is easily taken for an option's file, as in `--trace ./prog1 ./prog2`.
 */
bool outputs_open(struct guest *guest, struct error *error);

/* Makes the ring for --trace and --explain, before the commit point. */
bool trace_prepare(const struct guest *guest, struct error *error);

/*
 * order_file.c, for --order, before the loader and the program part: reads where the program's
 * functions begin, and makes the tables of resident_order. Fails where there is none to be seen.
 */
bool order_read(const struct guest *guest, struct error *error);

/* order_file.c: writes the functions in the order of their first calls. The program is over. */
void order_write(const struct guest *guest);

/* What the loader does with a program that it watches. */
struct supervise_reports {
	/* The program has run for five seconds: its start is over. */
	void (*started)(const struct guest *guest, const struct held *held);
	/* The program has ended, with a status as wait(2) has it; its memory is still held. */
	void (*end)(const struct guest *guest, const struct held *held, const struct rusage *usage,
		    int status);
};

/*
 * supervise.c: makes the child process that becomes the program, before anything of it is mapped.
 * Returns in the child. The loader itself stays in here: it waits, reports, and ends as the program
 * did. If the child returns from main before supervise_begin(), the loader only ends as the child
 * did. False where there can be no child.
 */
bool supervise(struct guest *guest, const struct supervise_reports *reports, struct error *error);

/*
 * supervise.c, in the child, right before the commit point: holds the memory, and waits until the
 * loader has taken over what it wants from it.
 */
bool supervise_begin(const struct guest *guest, struct error *error);

/*
 * take_over.c, when the program is over: copies what the pager counted and noted. By then the
 * program may have written anything to that memory: every number is possible, and each has its
 * place.
 */
void watch_take_counts(const struct guest *guest, const struct held *held);

/*
 * --stats: text on standard error, or JSON into the file that it named; `status` as wait(2) has it.
 * The program is over, and its memory is held.
 */
void statistics_report(const struct guest *guest, const struct held *held,
		       const struct rusage *usage, int status);

/*
 * --layout: writes the frames of the program's own mappings, beginning with its first page, as
 * page-layout does. The program is over, and its memory is held.
 */
void layout_write(const struct guest *guest, const struct held *held);

#endif
