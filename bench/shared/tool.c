#include "bench/shared/tool.h"

#include "common/file_kind.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *tool_name;

_Noreturn void tool_stop(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fprintf(stderr, "%s: ", tool_name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(TOOL_STOPPED);
}

unsigned long tool_number(const char *option, const char *text, unsigned long least,
			  unsigned long most)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (end == text || *end != '\0' || *text == '-' || errno != 0 || value < least ||
	    value > most)
		tool_stop("--%s is a number from %lu to %lu, not '%s'", option, least, most, text);
	return value;
}

_Noreturn void tool_cannot_write(const char *path)
{
	tool_stop("cannot write %s: %s; name another file", path, strerror(errno));
}

void tool_check_file(const char *path)
{
	struct stat info;
	bool exists = path != NULL && stat(path, &info) == 0;
	enum file_kind kind;
	FILE *file;

	if (path == NULL || (exists && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)))
		return;
	if (strcmp(path, "-") == 0)
		tool_stop("a file to write cannot be -; write ./- if that is meant, or "
			  "/dev/stdout");
	/* A program's name is easily given as an output's. */
	kind = file_kind_at(path);
	if (kind == FILE_KIND_ELF || kind == FILE_KIND_SCRIPT)
		tool_stop("%s is a program, and is not overwritten; name another file", path);
	file = fopen(path, "ae");
	if (file == NULL)
		tool_cannot_write(path);
	fclose(file);
	if (!exists)
		unlink(path);
}
