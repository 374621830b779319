/* The commands of a session, the rounds in which they run, and what can be asked of the samples. */
#include "bench/session/session.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t session_rounds(const struct session *session)
{
	size_t count = 0;

	for (enum round_kind i = 0; i < ROUND_KINDS; i++)
		count += session->rounds[i];
	return count;
}

/* The number of the first round of a kind. */
static size_t first_round(const struct session *session, enum round_kind kind)
{
	size_t first = 0;

	for (enum round_kind i = 0; i < kind; i++)
		first += session->rounds[i];
	return first;
}

enum round_kind session_round_kind(const struct session *session, size_t round)
{
	enum round_kind kind = 0;

	while (round >= first_round(session, kind) + session->rounds[kind])
		kind++;
	return kind;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Splits both texts at their spaces; the words live after the pointers, in one allocation. */
static char **split_words(const char *loader, const char *program)
{
	size_t length = strlen(loader) + strlen(program) + 2;
	size_t most = length / 2 + 1;
	char **words = malloc(most * sizeof(*words) + length);
	char *text, *rest;

	if (words == NULL)
		return NULL;
	text = (char *)(words + most);
	snprintf(text, length, "%s %s", loader, program);
	for (size_t i = 0; (words[i] = strtok_r(text, " ", &rest)) != NULL; i++)
		text = NULL;
	return words;
}

static size_t count_words(const char *text)
{
	size_t count = 0;

	for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
		text += strcspn(text, " ");
		count++;
	}
	return count;
}

size_t session_find(const struct session *session, const char *loader, const char *program)
{
	for (size_t i = 0; i < session->count; i++)
		if (same_text(session->commands[i].loader, loader) &&
		    same_text(session->commands[i].program, program))
			return i;
	return SESSION_NONE;
}

static size_t append(struct session *session, const char *loader, const char *program)
{
	size_t size = (session->count + 1) * sizeof(*session->commands);
	struct command *commands = realloc(session->commands, size);
	struct command *new;

	if (commands == NULL)
		return SESSION_NONE;
	session->commands = commands;
	new = &commands[session->count];
	*new = (struct command){.loader = loader, .program = program, .native = session->count};
	new->argv = split_words(loader == NULL ? "" : loader, program);
	new->loader_words = loader == NULL ? 0 : count_words(loader);
	new->samples = calloc(session_rounds(session), sizeof(*new->samples));
	session->count++;
	return new->argv == NULL || new->samples == NULL ? SESSION_NONE : session->count - 1;
}

size_t session_add(struct session *session, const char *loader, const char *program)
{
	size_t found = session_find(session, loader, program);
	size_t native;

	if (found != SESSION_NONE)
		return found;
	if (loader == NULL)
		return append(session, NULL, program);
	native = session_add(session, NULL, program);
	if (native == SESSION_NONE)
		return native;
	found = append(session, loader, program);
	if (found != SESSION_NONE)
		session->commands[found].native = native;
	return found;
}

static const struct command *run_round(struct session *session, const size_t *order, size_t round,
				       session_runner *run, void *context)
{
	for (size_t i = 0; i < session->count; i++) {
		struct command *command = &session->commands[order[i]];

		if (!run(context, command, session_round_kind(session, round),
			 &command->samples[round]))
			return command;
	}
	return NULL;
}

const struct command *session_run(struct session *session, session_runner *run, void *context)
{
	const struct command *failed = NULL;
	uint64_t state = session->seed;
	size_t *order = calloc(session->count, sizeof(*order));

	if (order == NULL)
		return session->commands;
	for (size_t round = 0; round < session_rounds(session) && failed == NULL; round++) {
		statistics_shuffle(&state, order, session->count);
		failed = run_round(session, order, round, run, context);
	}
	free(order);
	return failed;
}

/*
 * Writes the values of all rounds made for this measure; returns how many. A value that is absent
 * makes them all unknown: a median of the others would be one of other runs.
 */
static size_t extract(const struct session *session, size_t command, enum measure measure,
		      double *values)
{
	enum round_kind kind = sample_round(measure);
	size_t count = session->rounds[kind];
	const struct run_sample *samples =
	    session->commands[command].samples + first_round(session, kind);

	for (size_t i = 0; i < count; i++) {
		if (samples[i].absent[measure] != 0)
			return 0;
		values[i] = (double)samples[i].counted[measure] * sample_unit(measure);
	}
	return count;
}

struct interval session_interval(const struct session *session, size_t command,
				 enum measure measure, enum view view)
{
	return session_interval_against(session, command, session->commands[command].native,
					measure, view);
}

struct interval session_interval_against(const struct session *session, size_t command,
					 size_t other, enum measure measure, enum view view)
{
	double *values = calloc(session_rounds(session) * 2, sizeof(*values));
	double *native = values + session_rounds(session);
	struct interval interval = {NAN, NAN, NAN};
	size_t count;

	if (values == NULL)
		return interval;
	count = extract(session, command, measure, values);
	if (extract(session, other, measure, native) == 0 && view != VIEW_PLAIN)
		count = 0;
	if (view == VIEW_RATIO)
		statistics_pair_ratios(values, native, count);
	if (view == VIEW_DIFFERENCE)
		statistics_pair_differences(values, native, count);
	interval = statistics_interval(values, count);
	free(values);
	return interval;
}

size_t session_differences(const struct session *session, size_t command, size_t *round)
{
	const struct command *own = &session->commands[command];
	const struct command *native = &session->commands[own->native];
	size_t count = 0;

	for (size_t i = session_rounds(session); i-- > 0;) {
		const struct run_sample *a = &own->samples[i], *b = &native->samples[i];

		/* Rounds for statistics have no native run. */
		if (session_round_kind(session, i) == ROUND_statistics)
			continue;
		if (a->exit_code == b->exit_code && a->signal == b->signal &&
		    a->timed_out == b->timed_out)
			continue;
		count++;
		*round = i;
	}
	return count;
}

bool session_rss_exact(const struct session *session)
{
	for (size_t i = 0; i < session->count; i++)
		for (size_t j = 0; j < session->rounds[ROUND_memory]; j++)
			if (session->commands[i].program[0] != '\0' &&
			    !session->commands[i].samples[j].rss_exact)
				return false;
	return true;
}

bool session_user_only(const struct session *session)
{
	for (size_t i = 0; i < session->count; i++)
		for (size_t j = 0; j < session_rounds(session); j++)
			if (session->commands[i].samples[j].user_only)
				return true;
	return false;
}

const char *session_absent_reason(const struct session *session, enum measure measure)
{
	for (size_t i = 0; i < session->count; i++)
		for (size_t j = 0; j < session_rounds(session); j++) {
			int32_t absent = session->commands[i].samples[j].absent[measure];

			if (sample_absent_reason(absent) != NULL)
				return sample_absent_reason(absent);
		}
	return NULL;
}

static const char *signal_name(int signal)
{
	static const struct {
		int number;
		const char *name;
	} names[] = {
	    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},	{SIGILL, "SIGILL"},   {SIGFPE, "SIGFPE"},
	    {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGKILL, "SIGKILL"}, {SIGSYS, "SIGSYS"},
	    {SIGTERM, "SIGTERM"}, {SIGPIPE, "SIGPIPE"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].number == signal)
			return names[i].name;
	return NULL;
}

void session_describe_end(const struct run_sample *sample, char text[SESSION_END_LENGTH])
{
	const char *name = signal_name(sample->signal);

	if (sample->timed_out)
		snprintf(text, SESSION_END_LENGTH, "timed out");
	else if (name != NULL)
		snprintf(text, SESSION_END_LENGTH, "%s", name);
	else if (sample->signal != 0)
		snprintf(text, SESSION_END_LENGTH, "signal %d", sample->signal);
	else
		snprintf(text, SESSION_END_LENGTH, "exit %d", sample->exit_code);
}

const char *session_label(const char *command)
{
	const char *label = command;

	for (const char *at = command; *at != '\0' && *at != ' '; at++)
		if (*at == '/')
			label = at + 1;
	return label;
}

void session_free(struct session *session)
{
	for (size_t i = 0; i < session->count; i++) {
		free(session->commands[i].argv);
		free(session->commands[i].samples);
	}
	free(session->commands);
	session->commands = NULL;
	session->count = 0;
}
