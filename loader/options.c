#include "loader/options.h"

#include "loader/guest.h"
#include "loader/resident/guard.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPTION_PLAN = 256,
	OPTION_ARGV0,
	OPTION_PROFILE,
	OPTION_EXPLAIN,
	OPTION_STEP,
	OPTION_PAUSE,
	OPTION_POLICY,
	OPTION_ENGINE,
	OPTION_RETIRE,
	OPTION_GUARD,
	OPTION_RECORD,
	OPTION_TRACE,
	OPTION_VERIFY,
};

static const struct option long_options[] = {
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {"verbose", no_argument, NULL, 'v'},
    {"stats", optional_argument, NULL, 's'},
    {"plan", no_argument, NULL, OPTION_PLAN},
    {"argv0", required_argument, NULL, OPTION_ARGV0},
    {"profile", required_argument, NULL, OPTION_PROFILE},
    {"explain", optional_argument, NULL, OPTION_EXPLAIN},
    {"step", no_argument, NULL, OPTION_STEP},
    {"pause", no_argument, NULL, OPTION_PAUSE},
    {"record", required_argument, NULL, OPTION_RECORD},
    {"trace", required_argument, NULL, OPTION_TRACE},
    {"policy", required_argument, NULL, OPTION_POLICY},
    {"engine", required_argument, NULL, OPTION_ENGINE},
    {"retire", required_argument, NULL, OPTION_RETIRE},
    {"guard", required_argument, NULL, OPTION_GUARD},
    {"verify", no_argument, NULL, OPTION_VERIFY},
    {NULL, 0, NULL, 0},
};

static bool choose_policy(const char *text, struct options *options, struct error *error)
{
	options->policy = policy_parse(text, &options->policy_pages, error);
	return options->policy != NULL;
}

static bool choose_engine(const char *name, struct options *options, struct error *error)
{
	for (const char *const *known = engine_names; *known != NULL; known++)
		if (strcmp(*known, name) == 0)
			options->engine = *known;
	return options->engine != NULL ||
	       error_set(error, EXIT_OURS, "--engine=%s is unknown; there are %s, %s, %s and %s",
			 name, engine_names[0], engine_names[1], engine_names[2], engine_names[3]);
}

static bool choose_retire(const char *value, struct options *options, struct error *error)
{
	char *end;

	if (strcmp(value, "auto") == 0) {
		options->retire = GUARD_AUTO;
		return true;
	}
	if (strcmp(value, "never") == 0) {
		options->retire = GUARD_NEVER;
		return true;
	}
	options->retire = strtoul(value, &end, 10);
	return (value[0] >= '0' && value[0] <= '9' && *end == '\0' &&
		options->retire < GUARD_AUTO) ||
	       error_set(error, EXIT_OURS,
			 "--retire=%s: it wants a number of system calls, never or auto", value);
}

static bool choose_guard(const char *value, struct options *options, struct error *error)
{
	static const char *const choices[] = {
	    [CHOOSE_AUTO] = "auto",
	    [CHOOSE_REQUIRE] = "require",
	    [CHOOSE_NONE] = "none",
	};

	for (unsigned i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		if (strcmp(choices[i], value) == 0) {
			options->guard = (enum guard_choice)i;
			return true;
		}
	}
	return error_set(error, EXIT_OURS,
			 "--guard=%s is unknown; there are auto, require and none", value);
}

static bool choose_explain(const char *format, struct options *options, struct error *error)
{
	if (format == NULL || strcmp(format, "text") == 0)
		options->explain = EXPLAIN_TEXT;
	else if (strcmp(format, "json") == 0)
		options->explain = EXPLAIN_JSON;
	else
		return error_set(error, EXIT_OURS,
				 "--explain=%s is unknown; there are text and json", format);
	return true;
}

/* getopt's complaint as our own sentence; it has moved optind behind the word at fault. */
static bool complain(int result, char **argv, struct error *error)
{
	const char *word = argv[optind - 1];

	if (result == ':')
		return error_set(error, EXIT_OURS, "%s wants a value; see --help", word);
	if (optopt != 0 && optopt < OPTION_PLAN && strchr("hVvs", optopt) == NULL)
		return error_set(error, EXIT_OURS, "there is no option -%c; see --help", optopt);
	if (optopt != 0)
		return error_set(error, EXIT_OURS, "%s: this option takes no value; leave out %s",
				 word, strchr(word, '='));
	return error_set(error, EXIT_OURS, "there is no option %s, or it is ambiguous; see --help",
			 word);
}

/* Those about pages that are not there yet. */
static bool is_about_laziness(int option)
{
	return option >= OPTION_POLICY && option <= OPTION_VERIFY;
}

/* Those about pages and about watching that have a value. */
static bool apply_value(int option, struct options *options, struct error *error)
{
	switch (option) {
	case OPTION_RECORD:
		options->record = optarg;
		return true;
	case OPTION_TRACE:
		options->trace = optarg;
		return true;
	case OPTION_EXPLAIN:
		return choose_explain(optarg, options, error);
	case OPTION_POLICY:
		return choose_policy(optarg, options, error);
	case OPTION_ENGINE:
		return choose_engine(optarg, options, error);
	case OPTION_RETIRE:
		return choose_retire(optarg, options, error);
	default:
		return choose_guard(optarg, options, error);
	}
}

static bool apply(int option, struct options *options, struct error *error)
{
	switch (option) {
	case 'h':
		options->help = true;
		return true;
	case 'V':
		options->version = true;
		return true;
	case 'v':
		options->verbose = true;
		return true;
	case 's':
		options->statistics = true;
		options->statistics_file = optarg;
		return true;
	case OPTION_PLAN:
		options->plan = true;
		return true;
	case OPTION_ARGV0:
		options->argv0 = optarg;
		return true;
	case OPTION_VERIFY:
		options->verify = true;
		return true;
	case OPTION_STEP:
		options->step = true;
		return true;
	case OPTION_PAUSE:
		options->pause = true;
		return true;
	case OPTION_PROFILE:
		options->profile = optarg;
		return true;
	default:
		return apply_value(option, options, error);
	}
}

bool options_parse(const struct strategy *strategy, int argc, char **argv, struct options *options,
		   struct error *error)
{
	int option;

	*options = (struct options){.retire = GUARD_AUTO};
	if (strategy->default_policy != NULL &&
	    !choose_policy(strategy->default_policy, options, error))
		return false;
	opterr = 0;
	/* "+": stop at the first word that is no option; ":": tell a missing value apart. */
	while ((option = getopt_long(argc, argv, "+:hVvs", long_options, NULL)) != -1) {
		if (option == '?' || option == ':')
			return complain(option, argv, error);
		if (is_about_laziness(option) && strategy->default_policy == NULL)
			return error_set(error, EXIT_OURS,
					 "%s has no meaning here: every page is in memory before "
					 "the program starts; leave it out, or use hybrid_loader",
					 argv[optind - 1]);
		if (!apply(option, options, error))
			return false;
	}
	if (options->step && options->explain == EXPLAIN_NOTHING)
		options->explain = EXPLAIN_TEXT;
	options->program = argv + optind;
	if (*options->program == NULL && !options->help && !options->version)
		return error_set(error, EXIT_OURS,
				 "no program was named: name one behind the options; see --help");
	return true;
}
