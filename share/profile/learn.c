/*
 * page-profile learn: a profile from one run of a command, which is hybrid_loader --learn=FILE.
 * This program is the loader.
 */
#include "common/report.h"
#include "loader/loader_run.h"
#include "share/command/command.h"
#include "share/profile/page_profile.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int learn_run(const char *name, char **command, size_t count, const char *output)
{
	char *option = malloc(strlen(output) + sizeof("--learn="));
	char **words = calloc(count + 4, sizeof(*words));
	struct error error;

	if (option == NULL || words == NULL) {
		error_no_memory(&error, "for a command of %zu words", count);
		return report_error(&error);
	}
	strcpy(stpcpy(option, "--learn="), output);
	words[0] = "hybrid_loader";
	words[1] = option;
	words[2] = "--";
	memcpy(words + 3, command, count * sizeof(*words));
	optind = 0; /* the loader reads its words from the beginning */
	command_strategy.name = name;
	return loader_run(&command_strategy, (int)count + 3, words, environ);
}
