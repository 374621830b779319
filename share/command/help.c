/* pagewise help: all commands, one command, or an option of the loader. */
#include "common/report.h"
#include "common/similar.h"
#include "loader/cli/options.h"
#include "loader/cli/options_mistakes.h"
#include "share/command/command.h"

#include <string.h>

/* The three texts of each row, one after the other. */
static const char texts[] =
#define COMMAND(name, usage, words, text) usage "\0" words "\0" text "\0"
#include "share/command/commands.def"
    ;

enum text { USAGE, WORDS, TEXT, TEXTS };

static const char *text_of(enum command_id id, enum text which)
{
	const char *text = texts;

	for (unsigned before = (unsigned)id * TEXTS + (unsigned)which; before > 0; before--)
		text += strlen(text) + 1;
	return text;
}

static void print_all(FILE *out)
{
	const char *names[COMMAND_COUNT];

	command_names(names);
	fputs("Usage: pagewise COMMAND ...\n"
	      "Runs Linux programs without execve, and reads ahead what their starts need.\n\n"
	      "  pagewise run ls\n\n",
	      out);
	for (unsigned id = 0; id < COMMAND_COUNT; id++)
		fprintf(out, "  %-8s %s\n", names[id], text_of((enum command_id)id, WORDS));
	fputs("\npagewise help WORD explains a command, or an option of run. pagewise --version\n",
	      out);
}

static bool print_word(const char *word, FILE *out)
{
	enum command_id id = command_find(word);

	if (id == COMMAND_COUNT)
		return options_print_one(&command_strategy, word + strspn(word, "-"), out);
	fprintf(out, "Usage: pagewise %s %s\n%s", word, text_of(id, USAGE), text_of(id, TEXT));
	return true;
}

/* Whether the usage begins with words such as list|show|merge, and this is one of them. */
static bool takes(enum command_id id, const char *word)
{
	const char *at = text_of(id, USAGE);
	size_t length = strlen(word);

	while (strncmp(at, word, length) != 0 || strchr("| ", at[length]) == NULL) {
		at += strcspn(at, "| ");
		if (*at++ != '|')
			return false;
	}
	return *word >= 'a' && *word <= 'z';
}

static int refuse(const char *word)
{
	const char *names[COMMAND_COUNT], *meant, *before = "";
	struct error error;

	command_names(names);
	error_set(&error, EXIT_OURS, "%.64s follows another command; see", word);
	for (unsigned id = 0; id < COMMAND_COUNT; id++)
		if (takes((enum command_id)id, word)) {
			error_add(&error, "%s pagewise %s --help", before, names[id]);
			before = " or";
		}
	if (*before != '\0')
		return report_error(&error);
	meant = similar_among(word, strlen(word), names, COMMAND_COUNT);
	if (meant == NULL)
		meant = options_similar(word + strspn(word, "-"));
	error_set(&error, EXIT_OURS, "there is no command and no option %.64s; ", word);
	error_add(&error, meant != NULL ? "did you mean %s?" : "see pagewise help", meant);
	return report_error(&error);
}

int command_help(int argc, char **argv)
{
	FILE *out = report_output();
	struct error error;

	if (argc > 2) {
		error_set(&error, EXIT_OURS, "help explains one word; leave out %.64s", argv[2]);
		return report_error(&error);
	}
	if (argc > 1 && (out == NULL || !print_word(argv[1], out)))
		return refuse(argv[1]);
	if (argc < 2 && out != NULL)
		print_all(out);
	return report_written(out != NULL && report_close(out));
}
