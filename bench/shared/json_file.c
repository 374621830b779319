/* Shared by all JSON files of the bench. */
#include "bench/shared/json_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

json_t *json_text(const char *text)
{
	return text == NULL || text[0] == '\0' ? json_null() : json_string(text);
}

static json_t *count_json(long count)
{
	return count < 0 ? json_null() : json_integer(count);
}

json_t *environment_json(const struct environment *environment)
{
	return json_pack(
	    "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "cpu",
	    json_text(environment->cpu), "cpus", count_json(environment->cpus), "memory_kb",
	    count_json(environment->memory_kb), "kernel", json_text(environment->kernel),
	    "transparent_huge_pages", json_text(environment->thp), "mitigations",
	    json_text(environment->mitigations), "frequency_governor",
	    json_text(environment->governor), "megahertz",
	    environment->megahertz < 0 ? json_null() : json_real(environment->megahertz), "load",
	    environment->load < 0 ? json_null() : json_real(environment->load), "date",
	    environment->date);
}

/* A device or a pipe is written as it is; to a file the new text comes whole or not at all. */
static FILE *open_for(const char *path, char *temporary, size_t size)
{
	struct stat info;

	temporary[0] = '\0';
	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
		return fopen(path, "we");
	if ((size_t)snprintf(temporary, size, "%s.new", path) >= size) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return fopen(temporary, "we");
}

bool json_file_write(const json_t *value, const char *path)
{
	char temporary[4096];
	FILE *file = open_for(path, temporary, sizeof(temporary));
	int failed;

	if (file == NULL)
		return false;
	failed = json_dumpf(value, file, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) != 0;
	failed |= fputc('\n', file) == EOF;
	failed |= fclose(file) != 0;
	if (temporary[0] == '\0')
		return !failed;
	if (!failed && rename(temporary, path) == 0)
		return true;
	failed = errno;
	unlink(temporary);
	errno = failed;
	return false;
}
