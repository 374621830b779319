#include "loader/cli/options_mistakes.h"

#include "common/file_kind.h"
#include "common/similar.h"
#include "loader/cli/options_table.h"

#include <string.h>

/* More than the number of options. */
#define NAMES_MAX 32

/* The long options whose names start with `start`. */
static size_t find_prefixed(const struct option *known, const char *start, size_t length,
			    const char *names[NAMES_MAX])
{
	size_t count = 0;

	for (; known->name != NULL && count < NAMES_MAX; known++)
		if (strncmp(known->name, start, length) == 0)
			names[count++] = known->name;
	return count;
}

const char *options_similar(const char *word)
{
	const char *names[OPTION_COUNT];

	for (int id = 0; id < OPTION_COUNT; id++)
		names[id] = option_rows[id].name;
	return similar_among(word, strlen(word), names, OPTION_COUNT);
}

/* Refuses `--e` as ambiguous, `--polcy` as unknown; `name` is without its dashes and its value. */
static bool refuse_long(const char *name, size_t length, const struct option *known,
			struct error *error)
{
	const char *names[NAMES_MAX], *meant;
	size_t count = find_prefixed(known, name, length, names);

	if (length > 0 && count > 1) {
		error_set(error, EXIT_OURS, "--%.*s is ambiguous; did you mean ", (int)length,
			  name);
		for (size_t i = 0; i < count; i++)
			error_add(error, "%s--%s",
				  i == 0	  ? ""
				  : i + 1 < count ? ", "
						  : " or ",
				  names[i]);
		error_add(error, "?");
		return false;
	}
	count = find_prefixed(known, "", 0, names);
	meant = similar_among(name, length, names, count);
	error_set(error, EXIT_OURS, "there is no option --%.*s; ", length < 64 ? (int)length : 64,
		  name);
	error_add(error, meant != NULL ? "did you mean --%s?" : "see --help", meant);
	return false;
}

/*
 * Refuses an unknown letter. getopt stays at a word such as -vx until it has read its last letter.
 * If that word, without its dash, resembles a long option (-polcy), the long option was meant.
 */
static bool refuse_short(int letter, char **argv, const struct option *known, struct error *error)
{
	const char *names[NAMES_MAX], *meant = NULL;
	const char *word = argv[optind];
	size_t count = find_prefixed(known, "", 0, names);

	if (letter == '=')
		return error_set(error, EXIT_OURS,
				 "an option of one letter takes no value; write its long name, as "
				 "in --stats=FILE");
	if (word != NULL && word[0] == '-' && strchr(word, letter) != NULL)
		meant = similar_among(word + 1, strcspn(word + 1, "="), names, count);
	if (meant != NULL)
		return error_set(error, EXIT_OURS,
				 "there is no option -%c; did you mean --%s, with two dashes?",
				 letter, meant);
	return error_set(error, EXIT_OURS, "there is no option -%c; see --help", letter);
}

bool options_complain(int result, char **argv, const struct option *known, struct error *error)
{
	const char *word = argv[optind - 1];
	size_t length = strcspn(word, "=");

	if (result == ':')
		return error_set(error, EXIT_OURS, "%s needs a value; see --help", word);
	if (optopt == 0)
		return refuse_long(word + 2, length - 2, known, error);
	if (optopt >= OPTION_LONG)
		return error_set(error, EXIT_OURS,
				 "%.*s: this option takes no value; leave out %.64s", (int)length,
				 word, word + length);
	return refuse_short(optopt, argv, known, error);
}

bool options_no_program(const char *taker, const char *value, struct error *error)
{
	if (taker != NULL)
		return error_set(error, EXIT_OURS,
				 "--%s took %.64s as its value, so no program was named; write "
				 "--%s=VALUE %.64s if it is the program",
				 taker, value, taker, value);
	return error_set(error, EXIT_OURS,
			 "no program was named: name one after the options; see --help");
}

void options_hint_value(const char *option, const char *word, const char *path, struct error *error)
{
	bool asks = error->text[strlen(error->text) - 1] == '?';
	enum file_kind kind = option != NULL ? file_kind_at(path) : FILE_KIND_NONE;

	if (option != NULL &&
	    (error->status == EXIT_NOT_FOUND || kind == FILE_KIND_TEXT || kind == FILE_KIND_OTHER))
		error_add(error, "%s it is the value of --%s, write --%s=%.100s",
			  asks ? " If" : "; if", option, option, word);
}
