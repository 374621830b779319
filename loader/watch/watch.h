/*
 * What the loader calls so that a run can be watched, in the order of the calls. A program that is
 * watched runs as a child process that shares the loader's memory, and the loader waits for it. The
 * memory outlives the program, so that the loader can count its pages afterwards, however the
 * program ended: by exit or by a signal, SIGKILL included. Host code.
 */
#ifndef LOADER_WATCH_WATCH_H
#define LOADER_WATCH_WATCH_H

#include "loader/guest.h"
#include "loader/resident/launch.h"

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

/* Allocates what the loader needs while it waits. Before the commit point. */
bool supervise_prepare(struct error *error);

/*
 * Opens the files of --stats, --trace, --record and --layout, which changes none of them
 * (common/output_file.h). Before that it refuses to write over a program: a name that was meant to
 * be run is easily taken for an option's file, as in `--trace ./prog1 ./prog2`.
 */
bool outputs_open(struct guest *guest, struct error *error);

/* Makes the ring for --trace and --explain, before the commit point. */
bool trace_prepare(const struct guest *guest, struct error *error);

/* What is reported when the program has ended: its status as wait(2) has it. */
typedef void supervise_end(const struct guest *guest, const struct rusage *usage, int status);

/* Runs the program as a child, waits for it, calls report(), and ends as the program did. */
_Noreturn void supervise(const struct guest *guest, struct launch_watched *watched,
			 supervise_end *report);

/*
 * --stats: text on standard error, or JSON into the file that it named; `status` as wait(2) has it.
 * The program is over, and its memory still there.
 */
void statistics_report(const struct guest *guest, const struct rusage *usage, int status);

/*
 * --layout: writes the frames of the program's own mappings, beginning with its first page, as
 * page-layout does. The program is over, and its memory still there.
 */
void layout_write(const struct guest *guest);

#endif
