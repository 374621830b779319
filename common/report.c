#include "common/report.h"
#include "common/printable.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A longer program name is cut off, so that the line has room for the message. */
#define NAME_BYTES 512

/* Static, so that callers need no context. */
static struct {
	const char *loader, *program;
	bool verbose;
} names = {.loader = "loader"};

void report_begin(const char *loader, const char *program, bool verbose)
{
	names.loader = loader;
	names.program = program;
	names.verbose = verbose;
}

/*
 * Writes to standard error, or does nothing if that is closed, a pipe without a reader, or a file
 * as long as the limit permits. The signals of the last two would end a program that writes
 * nothing.
 */
static void write_if_possible(const char *bytes, size_t length)
{
	const struct timespec no_time = {0};
	sigset_t signals, pending, mask;

	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	sigaddset(&signals, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &signals, &mask);
	sigpending(&pending);
	if (write(STDERR_FILENO, bytes, length) < 0 && (errno == EPIPE || errno == EFBIG)) {
		/* A signal that was pending already is the program's. */
		if (sigismember(&pending, SIGPIPE))
			sigdelset(&signals, SIGPIPE);
		if (sigismember(&pending, SIGXFSZ))
			sigdelset(&signals, SIGXFSZ);
		sigtimedwait(&signals, NULL, &no_time);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

static void write_line(const char *text)
{
	const char *program = names.program != NULL ? names.program : "";
	char line[2048]; /* fits the loader's name, NAME_BYTES and 1023 bytes of text */
	int length = snprintf(line, sizeof(line) - 1, "%s: %.*s%s%s%s", names.loader, NAME_BYTES,
			      program, strlen(program) > NAME_BYTES ? "..." : "",
			      names.program != NULL ? ": " : "", text);

	printable_make(line, (size_t)length);
	line[length] = '\n';
	write_if_possible(line, (size_t)length + 1);
}

static void write_formatted(const char *format, va_list arguments)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, arguments);
	write_line(text);
}

bool report_is_verbose(void)
{
	return names.verbose;
}

void report_detail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (names.verbose)
		write_formatted(format, arguments);
	va_end(arguments);
}

void report_warning(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	write_formatted(format, arguments);
	va_end(arguments);
}

int report_error(const struct error *error)
{
	write_line(error->text);
	return (int)error->status;
}

FILE *report_output(void)
{
	return fdopen(STDOUT_FILENO, "w");
}

int report_written(bool whole)
{
	struct error error;

	if (whole)
		return 0;
	error_set(&error, EXIT_OURS,
		  "standard output cannot be written to: %m; redirect it elsewhere");
	return report_error(&error);
}

int report_exit_status(bool good, const struct error *error)
{
	return good ? report_written(fflush(stdout) == 0 && !ferror(stdout)) : report_error(error);
}

bool report_close(FILE *file)
{
	bool failed = ferror(file) != 0;

	return fclose(file) == 0 && !failed;
}
