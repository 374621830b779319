#include "common/report.h"
#include "common/printable.h"

#include <stdarg.h>
#include <string.h>
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

static void write_line(const char *text)
{
	const char *program = names.program != NULL ? names.program : "";
	char line[2048]; /* fits the loader's name, NAME_BYTES and 1023 bytes of text */
	int length = snprintf(line, sizeof(line) - 1, "%s: %.*s%s%s%s", names.loader, NAME_BYTES,
			      program, strlen(program) > NAME_BYTES ? "..." : "",
			      names.program != NULL ? ": " : "", text);

	printable_make(line, (size_t)length);
	line[length] = '\n';
	if (write(STDERR_FILENO, line, (size_t)length + 1) < 0)
		return; /* stderr is closed: there is nowhere to report that */
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
