/*
 * Any command line given to the loaders. The first byte of the input selects the loader. The rest
 * are its words, each ended by a newline.
 */
#include "loader/cli/options.h"
#include "tests/fuzz/fuzz.h"

#include <getopt.h>

#define WORDS_MAX 64

static void check_options(const struct options *options, char **argv, int argc)
{
	check(options->help || options->version ||
	      (options->program > argv && options->program < argv + argc));
	check(options->statistics_file == NULL || options->statistics_file[0] != '\0');
	check(options->trace == NULL || options->trace[0] != '\0');
	check(options->record == NULL || options->record[0] != '\0');
	check(!options->step || options->explain != EXPLAIN_NOTHING);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strategy strategy = {.name = "loader", .default_policy = predict_adaptive};
	char *argv[WORDS_MAX + 2] = {(char[]){"loader"}};
	struct options options;
	struct error error;
	char *text = malloc(size + 1), *rest = text;
	int argc = 1;

	check(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	if (size > 0 && *rest++ % 2 == 0)
		strategy.default_policy = NULL;
	while (rest != NULL && *rest != '\0' && argc <= WORDS_MAX)
		argv[argc++] = strsep(&rest, "\n");
	optind = 0; /* getopt(3): all over again */
	if (options_parse(&strategy, argc, argv, &options, &error))
		check_options(&options, argv, argc);
	else
		check_sentence(&error, EXIT_OURS);
	free(options.place_hints);
	free(text);
	return 0;
}
