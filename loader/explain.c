/* The order of the story, and --step: a key after each part of it. */
#include "loader/explain.h"
#include "common/report.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

/* A part of the story is one write, as far as it fits. */
#define STORY_BYTES 4096

static bool goes_on; /* a key has said so, or there is no terminal */

static const struct narrator *narrator_of(const struct guest *guest)
{
	switch (guest->options.explain) {
	case EXPLAIN_TEXT:
		return &explain_text;
	case EXPLAIN_JSON:
		return &explain_json;
	default:
		return NULL;
	}
}

/* Whether a signal waits that may be meant to end all this. */
static bool is_interrupted(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 &&
	       (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
		sigismember(&pending, SIGHUP) || sigismember(&pending, SIGQUIT));
}

/* A key, or 'c' when a signal comes in or the terminal has gone. */
static char read_key(int terminal)
{
	struct pollfd poll_for = {.fd = terminal, .events = POLLIN};
	char key = 'c';

	while (!is_interrupted())
		if (poll(&poll_for, 1, 100) != 0)
			return read(terminal, &key, 1) == 1 ? key : 'c';
	return 'c';
}

/*
 * Opened for one key at a time, so that the program has no descriptor of ours. Signals wait
 * meanwhile: the terminal must be left as it was.
 */
static void wait_for_key(void)
{
	int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	struct termios before, raw;
	sigset_t all, mask;

	if (terminal < 0 || tcgetattr(terminal, &before) != 0) {
		goes_on = true;
	} else {
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, &mask);
		raw = before;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		tcsetattr(terminal, TCSADRAIN, &raw);
		goes_on = read_key(terminal) == 'c';
		tcsetattr(terminal, TCSADRAIN, &before);
		sigprocmask(SIG_SETMASK, &mask, NULL);
	}
	if (terminal >= 0)
		close(terminal);
}

static void end_part(const struct guest *guest)
{
	fflush(stderr);
	if (guest->options.step && !goes_on)
		wait_for_key();
}

static void begin(const struct guest *guest)
{
	char *buffer = malloc(STORY_BYTES);

	if (buffer != NULL)
		setvbuf(stderr, buffer, _IOFBF, STORY_BYTES);
	if (!guest->options.step)
		return;
	if (isatty(STDIN_FILENO)) {
		report_warning("any key goes on, c goes on without stopping");
		return;
	}
	goes_on = true;
	report_warning("--step does not wait: standard input is not a terminal");
}

void explain_headers(const struct guest *guest)
{
	const struct narrator *narrator = narrator_of(guest);

	if (narrator == NULL)
		return;
	begin(guest);
	narrator->header(guest);
	for (unsigned i = 0; i < guest->image.phnum; i++)
		narrator->segment(guest, i);
	end_part(guest);
}

void explain_mappings(const struct guest *guest)
{
	const struct narrator *narrator = narrator_of(guest);

	if (narrator == NULL)
		return;
	narrator->before_mappings(guest);
	for (unsigned i = 0; i < guest->plan.count; i++)
		narrator->mapping(guest, i);
	narrator->after_mappings(guest);
	end_part(guest);
}

void explain_stack(const struct guest *guest)
{
	const struct narrator *narrator = narrator_of(guest);

	if (narrator == NULL)
		return;
	narrator->before_stack();
	explain_walk_stack(narrator->word);
	end_part(guest);
}

void explain_jump(const struct guest *guest)
{
	const struct narrator *narrator = narrator_of(guest);

	if (narrator == NULL)
		return;
	narrator->jump(guest);
	end_part(guest);
}

void explain_event(const struct guest *guest, const struct trace_event *event)
{
	static uint64_t faults;

	faults += event->kind == TRACE_FAULT;
	narrator_of(guest)->event(guest, event, faults);
	if (event->kind == TRACE_FAULT)
		end_part(guest);
	else
		fflush(stderr);
}

void explain_end(const struct guest *guest, int status)
{
	narrator_of(guest)->end(guest, status);
	fflush(stderr);
}
