/*
 * The functions by which the loader watches a run, in the order of the calls.
 *
 * A program that is watched is a child process of the loader, with memory of its own. The loader
 * waits for the child. The child's memory is held beyond its end (loader/hold/hold.h). So the
 * loader can count its pages afterwards, however the program ended: by exit or by a signal,
 * including SIGKILL. Host code.
 */
#pragma once

#include "loader/guest/guest.h"
#include "loader/hold/hold.h"

#include <sys/resource.h>

/*
 * --explain: the parts of the story before the jump, in their order. STORY_HEADERS is written for
 * each object, while it is the last of guest->objects.
 */
enum story_part { STORY_HEADERS, STORY_MAPPINGS, STORY_STACK, STORY_JUMP, STORY_PARTS };

/* Writes a part, when its phase is over. Has no effect without --explain. */
void explain(const struct guest *guest, enum story_part part);

/*
 * --plan: prints the load plan as a table on standard output, followed by the interpreter's.
 * Returns false if it cannot be written.
 */
bool plan_print(const struct guest *guest);

/*
 * Opens the files of --stats, --trace, --order, --record and --layout, without changing them
 * (common/output_file.h). Refuses to overwrite a program: a program's name is easily given as an
 * option's file, as in `--trace ./prog1 ./prog2`.
 */
bool outputs_open(struct guest *guest, struct error *error);

/* Makes the ring for --trace and --explain, before the commit point. */
bool trace_prepare(const struct guest *guest, struct error *error);

/*
 * order_file.c, for --order: reads where the program's functions start, and makes the tables of
 * resident_order. Called before the program's process is started. Fails if no function can be
 * found.
 */
bool order_read(const struct guest *guest, struct error *error);

/*
 * order_file.c: writes the functions in the order of their first calls, when the program is over.
 */
void order_write(const struct guest *guest);

/* What the loader does for a program that it watches. */
struct supervise_reports {
	/* Called when the program has run for five seconds: its start is over. */
	void (*started)(const struct guest *guest, const struct held *held);
	/*
	 * Called when the program has ended, with a status as from wait(2); its memory is still
	 * held.
	 */
	void (*end)(const struct guest *guest, const struct held *held, const struct rusage *usage,
		    int status);
};

/*
 * supervise.c: starts the child process that becomes the program, before any of the program is
 * mapped. Returns in the child. The loader itself stays in this function: it waits, reports, and
 * ends with the program's status. If the child returns from main before supervise_begin(), the
 * loader only ends with the child's status. Returns false if no child can be started.
 */
bool supervise(struct guest *guest, const struct supervise_reports *reports, struct error *error);

/*
 * supervise.c, called in the child just before the commit point: holds the memory, and waits until
 * the loader has copied what it needs from it.
 */
bool supervise_begin(const struct guest *guest, struct error *error);

/*
 * take_over.c, called when the program is over: copies the pager's counts and records. The program
 * may have written anything to that memory by then, so every number is accepted.
 */
void watch_take_counts(const struct guest *guest, const struct held *held);

/*
 * --stats: prints text on standard error, or JSON to the given file; `status` is as from wait(2).
 * The program is over, and its memory is held.
 */
void statistics_report(const struct guest *guest, const struct held *held,
		       const struct rusage *usage, int status);

/*
 * --layout: writes the frames of the program's own mappings, starting with its first page, as
 * page-layout does. The program is over, and its memory is held.
 */
void layout_write(const struct guest *guest, const struct held *held);
