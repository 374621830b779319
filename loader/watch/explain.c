/* The order of the story, and --step: a key press after each part of it. */
#include "loader/watch/explain.h"

#include "common/report.h"
#include "loader/watch/supervise.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* Room for one part of the story: each part is one write if it fits. */
#define STORY_BYTES 4096

/*
 * The progress of the story: before the jump in the process that becomes the program, then in the
 * watching loader.
 */
static struct {
	bool goes_on;		  /* continue without keys: the user chose that, or there is no
				     terminal */
	int32_t process;	  /* the program's ID; 0: there has been no event yet */
	uint64_t faults;	  /* number of faults so far */
	struct trace_event fatal; /* the access that ended the program; not an access of a child */
} story;

static const struct narrator *narrator_of(const struct guest *guest)
{
	if (guest->options.explain == EXPLAIN_NOTHING)
		return NULL;
	return guest->options.explain == EXPLAIN_TEXT ? &explain_text : &explain_json;
}

/* What read_key() returns for Ctrl-Z. */
#define STOP '\032'

static bool is_pending(int number)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, number);
}

/*
 * Waits for a key and returns it. Returns STOP for Ctrl-Z. Returns 'c' (do not wait again) at EOF,
 * or at a signal that ends programs. Signals are blocked and do not end poll(2), so the loader
 * checks for them every 100 ms.
 */
static char read_key(int terminal)
{
	struct pollfd poll_for = {.fd = terminal, .events = POLLIN};
	char key = 'c';

	while (!is_pending(SIGINT) && !is_pending(SIGTERM) && !is_pending(SIGHUP) &&
	       !is_pending(SIGQUIT)) {
		if (is_pending(SIGTSTP))
			return STOP;
		if (poll(&poll_for, 1, 100) != 0)
			return read(terminal, &key, 1) == 1 ? key : 'c';
	}
	return 'c';
}

/*
 * Reads a key without waiting for Enter, and restores the terminal. A process in the background
 * must not touch the terminal, so it continues without a key.
 */
static char ask(int terminal)
{
	struct termios before, raw;
	char key;

	if (tcgetpgrp(terminal) != getpgrp() || tcgetattr(terminal, &before) != 0)
		return 'c';
	raw = before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	tcsetattr(terminal, TCSADRAIN, &raw);
	key = read_key(terminal);
	tcsetattr(terminal, TCSADRAIN, &before);
	/*
	 * Ctrl-D ends the waiting. If it was typed before, the terminal has turned it into a zero.
	 */
	return key == (char)before.c_cc[VEOF] || key == '\0' ? 'c' : key;
}

/*
 * Stops this process by the pending SIGTSTP, between the two calls that unblock and block the
 * signal. The program waits for this process, so the whole job stops.
 */
static void stop_here(void)
{
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	sigprocmask(SIG_BLOCK, &only, NULL);
}

/*
 * Waits for a key. The terminal is opened for each key, so that the program inherits no such
 * descriptor. Signals are blocked meanwhile: a signal that ends the loader would leave the terminal
 * without echo.
 */
static void wait_for_key(void)
{
	int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	sigset_t all, mask;
	char key;

	if (terminal < 0) {
		story.goes_on = true;
		return;
	}
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	while ((key = ask(terminal)) == STOP)
		stop_here();
	story.goes_on = key == 'c';
	sigprocmask(SIG_SETMASK, &mask, NULL);
	close(terminal);
}

/*
 * Writes one part. The program shares standard error, and may have made it non-blocking: so the
 * loader waits for room.
 */
static void write_part(void)
{
	struct pollfd poll_for = {.fd = STDERR_FILENO, .events = POLLOUT};

	poll(&poll_for, 1, -1);
	fflush(stderr);
}

static void end_part(const struct guest *guest)
{
	write_part();
	if (guest->options.step && !story.goes_on)
		wait_for_key();
}

/* Starts the story, before the first object, which is the program. */
static void begin(const struct guest *guest)
{
	char *buffer = malloc(STORY_BYTES);

	if (buffer != NULL)
		setvbuf(stderr, buffer, _IOFBF, STORY_BYTES);
	if (!guest->options.step)
		return;
	if (isatty(STDIN_FILENO)) {
		report_warning("press any key to go on, c to go on without stopping");
		return;
	}
	story.goes_on = true;
	report_warning("--step does not wait: standard input is not a terminal");
}

void explain(const struct guest *guest, enum story_part part)
{
	const struct narrator *narrator = narrator_of(guest);

	if (narrator == NULL)
		return;
	if (part == STORY_HEADERS && guest->object_count == 1)
		begin(guest);
	narrator->parts[part](guest);
	end_part(guest);
}

static void remember_fatal(const struct trace_event *event)
{
	/* The first event of all is the program's own. */
	if (story.process == 0)
		story.process = event->process;
	if (event->kind == TRACE_FATAL && event->process == story.process)
		story.fatal = *event;
}

void explain_event(const struct guest *guest, const struct trace_event *event)
{
	remember_fatal(event);
	story.faults += event->kind == TRACE_FAULT;
	narrator_of(guest)->event(guest, event, story.faults);
	if (event->kind == TRACE_FAULT)
		end_part(guest);
	else
		write_part();
}

void explain_take_over(const struct held *held)
{
	held_read(held, (uint64_t)&story, &story, sizeof(story));
}

void explain_end(const struct guest *guest, int status)
{
	narrator_of(guest)->end(
	    guest, status,
	    WIFSIGNALED(status) && story.fatal.kind == TRACE_FATAL ? &story.fatal : NULL);
	write_part();
}
