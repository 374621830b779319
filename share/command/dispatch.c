#include "common/report.h"
#include "common/similar.h"
#include "share/command/command.h"

#include <stdio.h>
#include <string.h>

/* No pointers: each would be relocated at every start of `pagewise run`. */
static const char command_table[COMMAND_COUNT][8] = {
#define COMMAND(name, usage, words, text) #name,
#include "share/command/commands.def"
};

enum command_id command_find(const char *name)
{
	unsigned id = 0;

	while (id < COMMAND_COUNT && strcmp(command_table[id], name) != 0)
		id++;
	return (enum command_id)id;
}

void command_names(const char *names[COMMAND_COUNT])
{
	for (int id = 0; id < COMMAND_COUNT; id++)
		names[id] = command_table[id];
}

static int start(enum command_id id, int argc, char **argv)
{
	switch (id) {
#define COMMAND(name, usage, words, text)                                                          \
	case COMMAND_##name:                                                                       \
		return command_##name(argc, argv);
#include "share/command/commands.def"
	default:
		return EXIT_OURS;
	}
}

/* The word is a program, an option, a slip of the fingers, or none of them. */
static int refuse(const char *word)
{
	const char *names[COMMAND_COUNT], *meant;
	struct error error;

	command_names(names);
	meant = similar_among(word, strlen(word), names, COMMAND_COUNT);
	if (word[0] == '-')
		error_set(&error, EXIT_OURS,
			  "there is no option %.64s before a command; write pagewise run %.64s ...",
			  word, word);
	else if (strchr(word, '/') != NULL)
		error_set(&error, EXIT_OURS,
			  "there is no command %.256s; to run that program, write pagewise run "
			  "%.256s",
			  word, word);
	else if (meant != NULL)
		error_set(&error, EXIT_OURS, "there is no command %.64s; did you mean %s?", word,
			  meant);
	else
		error_set(&error, EXIT_OURS,
			  "there is no command %.64s; see pagewise help, or write pagewise run "
			  "%.64s if it is a program",
			  word, word);
	return report_error(&error);
}

static int print_version(void)
{
	FILE *out = report_output();

	if (out != NULL)
		fputs("pagewise " TOOLKIT_VERSION
		      "\nMIT license; pagewise run --version lists the libraries inside\n",
		      out);
	return report_written(out != NULL && report_close(out));
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Commands whose --help is `pagewise help COMMAND`. */
static bool has_no_help(enum command_id id)
{
	return id == COMMAND_plan || id == COMMAND_explain || id == COMMAND_trace ||
	       id == COMMAND_page || id == COMMAND_learn;
}

static int too_many(const char *word)
{
	struct error error;

	error_set(&error, EXIT_OURS, "--version takes no word; leave out %.64s", word);
	return report_error(&error);
}

static int choose(int argc, char **argv)
{
	struct error error;
	enum command_id id;

	if (argc < 2) {
		error_set(&error, EXIT_OURS,
			  "no command was named: write pagewise run PROGRAM, or see pagewise help");
		return report_error(&error);
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return argc > 2 ? too_many(argv[2]) : print_version();
	if (is_help(argv[1]))
		return command_help(argc - 1, argv + 1);
	id = command_find(argv[1]);
	if (argc > 2 && is_help(argv[2]) && has_no_help(id))
		return command_help(2, (char *[]){argv[2], argv[1], NULL});
	return id < COMMAND_COUNT ? start(id, argc - 1, argv + 1) : refuse(argv[1]);
}

int command_dispatch(int argc, char **argv)
{
	const char *name = base_name(argc > 0 ? argv[0] : "");

	if (strcmp(name, "page-profile") == 0)
		return page_profile_main(name, argc, argv);
	if (strcmp(name, "page-layout") == 0)
		return page_layout_main(name, argc, argv);
	report_begin("pagewise", NULL, false);
	if (strcmp(name, "loader-binfmt") == 0)
		return command_binfmt(argc, argv);
	return choose(argc, argv);
}
