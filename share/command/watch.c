/* pagewise plan, explain, trace and learn: `pagewise run` with an option in front of the others. */
#include "share/command/watch.h"

#include "common/report.h"
#include "loader/cli/options.h"
#include "loader/loader_run.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The words with this option in front of the others; NULL with a sentence: no memory. */
static char **prepend(const char *option, int argc, char **argv, struct error *error)
{
	char **words = calloc((size_t)argc + 2, sizeof(*words));

	if (words == NULL) {
		error_no_memory(error, "for the command line");
		return NULL;
	}
	words[0] = argv[0];
	words[1] = (char *)option;
	/* The NULL that ends the words is copied, too. */
	memcpy(words + 2, argv + 1, (size_t)argc * sizeof(*words));
	return words;
}

/* `pagewise run` with this option, under the name that begins the messages. */
static int run_with(const char *option, const char *name, int argc, char **argv)
{
	struct error error;
	char **words = prepend(option, argc, argv, &error);

	command_strategy.name = name;
	return words != NULL ? loader_run(&command_strategy, argc + 1, words, environ)
			     : report_error(&error);
}

int command_plan(int argc, char **argv)
{
	return run_with("--plan", "pagewise plan", argc, argv);
}

int command_explain(int argc, char **argv)
{
	/* The value is there, so that no hint asks whether the program's name is one. */
	return run_with("--explain=text", "pagewise explain", argc, argv);
}

/* The value of `-o FILE`, `-oFILE`, `--output FILE` or `--output=FILE`; NULL: another word. */
static const char *output_value(char **words, int *taken)
{
	const char *word = words[0];

	*taken = 1;
	if (strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0) {
		*taken = words[1] != NULL ? 2 : 1;
		return words[1] != NULL ? words[1] : "";
	}
	if (strncmp(word, "--output=", 9) == 0)
		return word + 9;
	return strncmp(word, "-o", 2) == 0 ? word + 2 : NULL;
}

bool watch_take_output(int *argc, char **argv, const char **file, struct error *error)
{
	const char *value;
	int taken;

	*file = NULL;
	for (int i = 1; i < *argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0;) {
		value = output_value(argv + i, &taken);
		if (value == NULL) {
			i++;
			continue;
		}
		if (*value == '\0')
			return error_set(error, EXIT_OURS,
					 "a file is missing after %s; write -o FILE", argv[i]);
		if (!command_take_output(file, value, error))
			return false;
		*argc -= taken;
		/* The NULL that ends the words is moved, too. */
		memmove(argv + i, argv + i + taken, (size_t)(*argc - i + 1) * sizeof(*argv));
	}
	return *argc > 1 || *file == NULL ||
	       error_set(error, EXIT_OURS,
			 "-o took %.64s as its file, so no program was named; write -o FILE %.64s "
			 "if it is the program",
			 *file, *file);
}

/*
 * Reads the words as the loader will, with the option for the trace in front. Refuses another
 * trace, which would take the place of this one.
 */
static bool read_words(int argc, char **argv, struct options *options, struct error *error)
{
	static const char trace[] = "--trace=-";
	char **words = prepend(trace, argc, argv, error);

	if (words == NULL || !options_parse(&command_strategy, argc + 1, words, options, error))
		return false;
	optind = 0; /* the loader reads the same words again */
	return options->trace == trace + strlen("--trace=") ||
	       error_set(error, EXIT_OURS, "-o FILE names the output; leave out --trace=%.256s",
			 options->trace);
}

bool watch_name_output(int argc, char **argv, const char *ending, char name[NAME_MAX],
		       struct error *error)
{
	struct options options;
	const char *slash;

	if (!read_words(argc, argv, &options, error))
		return false;
	if (*options.program == NULL)
		return snprintf(name, NAME_MAX, "pagewise%s", ending) > 0; /* --help */
	slash = strrchr(*options.program, '/');
	snprintf(name, NAME_MAX, "%.200s%s", slash != NULL ? slash + 1 : *options.program, ending);
	return true;
}

int watch_trace(const char *name, const char *file, int argc, char **argv)
{
	char *option = malloc(strlen(file) + sizeof("--trace="));
	struct error error;

	if (option != NULL) {
		strcpy(stpcpy(option, "--trace="), file);
		return run_with(option, name, argc, argv);
	}
	error_no_memory(&error, "for the name of the trace");
	return report_error(&error);
}

int command_trace(int argc, char **argv)
{
	const char *const own = "pagewise trace", *file;
	char name[NAME_MAX];
	struct error error;

	report_begin(own, NULL, false);
	if (!watch_take_output(&argc, argv, &file, &error) ||
	    !watch_name_output(argc, argv, ".trace", name, &error))
		return report_error(&error);
	command_strategy.names_trace = file == NULL;
	return watch_trace(own, file != NULL ? file : name, argc, argv);
}
