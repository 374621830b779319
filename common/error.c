#include "common/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

bool error_set(struct error *error, enum exit_status status, const char *format, ...)
{
	va_list arguments;

	error->status = status;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return false;
}

void error_add(struct error *error, const char *format, ...)
{
	size_t used = strlen(error->text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error->text + used, sizeof(error->text) - used, format, arguments);
	va_end(arguments);
}

void error_about(struct error *error, const char *format, ...)
{
	char sentence[sizeof(error->text)];
	va_list arguments;

	memcpy(sentence, error->text, sizeof(sentence));
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	error_add(error, "%s", sentence);
}

const char *error_memory_remedy(void)
{
	struct rlimit space, data;

	if (getrlimit(RLIMIT_AS, &space) == 0 && getrlimit(RLIMIT_DATA, &data) == 0 &&
	    (space.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY))
		return "raise the limits of memory (ulimit -v, ulimit -d)";
	return "free memory, or give the machine more";
}

const char *error_file_remedy(int reason)
{
	if (reason == EMFILE)
		return "raise the limit of open files (ulimit -n)";
	return reason == EFBIG ? "raise the limit of files (ulimit -f)" : "name another file";
}

bool error_no_memory(struct error *error, const char *what, ...)
{
	const char *reason = strerror(errno);
	char text[256];
	va_list arguments;

	va_start(arguments, what);
	vsnprintf(text, sizeof(text), what, arguments);
	va_end(arguments);
	return error_set(error, EXIT_OURS, "no memory %s: %s; %s", text, reason,
			 error_memory_remedy());
}
