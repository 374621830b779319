/* pagewise plan, explain, trace and learn: `pagewise run` with an option in front of the others. */
#include "share/command/watch.h"

#include "common/report.h"
#include "loader/cli/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

int watch_run(const char *name, const char *option, int argc, char **argv)
{
	char **words = calloc((size_t)argc + 2, sizeof(*words));
	struct error error;

	if (words == NULL) {
		error_no_memory(&error, "for the command line");
		return report_error(&error);
	}
	words[0] = argv[0];
	words[1] = (char *)option;
	/* The NULL that ends the words is copied, too. */
	memcpy(words + 2, argv + 1, (size_t)argc * sizeof(*words));
	return command_run_as(name, argc + 1, words);
}

int command_plan(int argc, char **argv)
{
	return watch_run("pagewise plan", "--plan", argc, argv);
}

int command_explain(int argc, char **argv)
{
	return watch_run("pagewise explain", "--explain", argc, argv);
}

bool watch_take_output(int *argc, char ***argv, const char **file, struct error *error)
{
	const char *word = *argc > 1 ? (*argv)[1] : "";
	int taken = 1;

	*file = NULL;
	if (strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0) {
		*file = *argc > 2 ? (*argv)[2] : "";
		taken = 2;
	} else if (strncmp(word, "-o", 2) == 0) {
		*file = word + 2;
	} else if (strncmp(word, "--output=", 9) == 0) {
		*file = word + 9;
	}
	if (*file == NULL)
		return true;
	if (**file == '\0')
		return error_set(error, EXIT_OURS, "a file is missing after %s; write -o FILE",
				 word);
	(*argv)[taken] = (*argv)[0];
	*argv += taken;
	*argc -= taken;
	return true;
}

bool watch_name_output(int argc, char **argv, const char *ending, char name[NAME_MAX],
		       struct error *error)
{
	struct options options;
	const char *slash;

	if (!options_parse(&command_strategy, argc, argv, &options, error))
		return false;
	optind = 0; /* the loader reads the same words again */
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
		return watch_run(name, option, argc, argv);
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
	if (!watch_take_output(&argc, &argv, &file, &error))
		return report_error(&error);
	if (file != NULL)
		return watch_trace(own, file, argc, argv);
	if (!watch_name_output(argc, argv, ".trace", name, &error))
		return report_error(&error);
	report_warning("the trace goes to %s", name);
	return watch_trace(own, name, argc, argv);
}
