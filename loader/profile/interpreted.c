#include "loader/profile/interpreted.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

struct interpreter {
	const char *name; /* name without a version */
	const char *code; /* letters of the options that take code as the next argument */
};

static const struct interpreter interpreters[] = {
    {"ash", "c"},   {"bash", "c"}, {"bun", "ep"}, {"dash", "c"},   {"deno", ""},   {"guile", "ce"},
    {"java", ""},   {"ksh", "c"},  {"lua", "e"},  {"luajit", "e"}, {"node", "ep"}, {"nodejs", "ep"},
    {"perl", "eE"}, {"php", "r"},  {"pypy", "c"}, {"python", "c"}, {"ruby", "e"},  {"sh", "c"},
    {"tclsh", ""},  {"wish", ""},  {"zsh", "c"},
};

/* The interpreter with this name, with or without a version: perl5.36.0, python3.11, lua5.4. */
static const struct interpreter *find(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	size_t length = strlen(name);

	while (length > 0 && strchr("0123456789.-", name[length - 1]) != NULL)
		length--;
	for (size_t i = 0; i < sizeof(interpreters) / sizeof(*interpreters); i++)
		if (strlen(interpreters[i].name) == length &&
		    memcmp(interpreters[i].name, name, length) == 0)
			return &interpreters[i];
	return NULL;
}

/*
 * Whether an option ends in one of the letters. Short options may be combined, and the last one
 * takes the next argument: -pe, -ec, -Im.
 */
static bool ends_in(const char *option, const char *letters)
{
	return option[1] != '-' && option[1] != '\0' &&
	       strchr(letters, option[strlen(option) - 1]) != NULL;
}

static bool is_file(const char *name)
{
	struct stat status;

	return stat(name, &status) == 0 && S_ISREG(status.st_mode);
}

const char *interpreted(const char *path, char *const *arguments)
{
	const struct interpreter *interpreter = find(path);

	if (interpreter == NULL || arguments[0] == NULL)
		return NULL;
	for (char *const *at = arguments + 1; *at != NULL; at++) {
		if (**at != '-' && is_file(*at))
			return *at;
		if (**at != '-')
			continue;
		if (ends_in(*at, interpreter->code))
			return NULL;
		if (ends_in(*at, "m") && strcmp(interpreter->name, "python") == 0)
			return at[1];
	}
	return NULL;
}
