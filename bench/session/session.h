/*
 * A session: a set of commands, each program once alone (native) and once under each loader, run in
 * rounds. Within a round every command runs once, in random order. The kinds of rounds follow one
 * another: those for memory warm the caches, those for time come last.
 */
#pragma once

#include "bench/session/sample.h"
#include "bench/shared/statistics.h"

#include <stdbool.h>
#include <stddef.h>

struct command {
	const char *loader;	    /* as given, its options after it; NULL: the native run */
	const char *program;	    /* as given, its arguments after it; "": the launcher alone */
	char **argv;		    /* both, in words */
	size_t loader_words;	    /* that many of them are the loader's */
	size_t native;		    /* index of the native run of the same program */
	struct run_sample *samples; /* one a round */
};

struct session {
	struct command *commands;
	size_t count;
	size_t rounds[ROUND_KINDS];
	uint64_t seed;
};

/* No such command, or no memory for it. */
#define SESSION_NONE SIZE_MAX

/* How many rounds there are, of all kinds; and of which kind a round is. */
size_t session_rounds(const struct session *session);
enum round_kind session_round_kind(const struct session *session, size_t round);

/* How a run's number is seen: as it is, or against the native run of the same round. */
enum view { VIEW_PLAIN, VIEW_RATIO, VIEW_DIFFERENCE };

/* Runs a command once: measure_run, or a test's own. False: it cannot be run; errno says why. */
typedef bool session_runner(void *context, const struct command *command, enum round_kind kind,
			    struct run_sample *sample);

/*
 * Adds the program under the loader (NULL: native), and its native run when there is none yet. The
 * two strings must outlive the session. Returns the index, or SESSION_NONE without memory.
 */
size_t session_add(struct session *session, const char *loader, const char *program);

/* The index of a command, or SESSION_NONE. */
size_t session_find(const struct session *session, const char *loader, const char *program);

/* All rounds. NULL when all went well, else the command that could not be run. */
const struct command *session_run(struct session *session, session_runner *run, void *context);

/*
 * The median of a measure and its interval, over the rounds made for it, in the unit for people.
 * NaNs when the measure is absent in any of them, and when out of memory.
 */
struct interval session_interval(const struct session *session, size_t command,
				 enum measure measure, enum view view);

/* The same, with any other command in place of the native run. */
struct interval session_interval_against(const struct session *session, size_t command,
					 size_t other, enum measure measure, enum view view);

/* In how many rounds the command ended otherwise than the native run; *round: the first of them. */
size_t session_differences(const struct session *session, size_t command, size_t *round);

/* Why a measure is absent from some command, for people; NULL when it is not, or need not be. */
const char *session_absent_reason(const struct session *session, enum measure measure);

/* Whether counters of the processor leave out what the kernel did. */
bool session_user_only(const struct session *session);

/* False if the kernel did not report the exact peak RSS of some run. */
bool session_rss_exact(const struct session *session);

/* A command's short name: the last part of its path and whatever follows. */
const char *session_label(const char *command);

/* "exit 0", "SIGSEGV" or "timed out". */
#define SESSION_END_LENGTH 24
void session_describe_end(const struct run_sample *sample, char text[SESSION_END_LENGTH]);

void session_free(struct session *session);
