#include "loader/options.h"

#include "common/similar.h"
#include "loader/guest.h"
#include "loader/prepare/engines.h"
#include "loader/options_mistakes.h"
#include "loader/resident/calls/guard.h"

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

static bool choose_retire(const char *value, struct options *options, struct error *error)
{
	static const char *const words[] = {"auto", "never"};
	const char *meant;
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
	if (value[0] >= '0' && value[0] <= '9' && *end == '\0' && options->retire < GUARD_AUTO)
		return true;
	meant = similar_among(value, strlen(value), words, 2);
	if (meant != NULL)
		return error_set(error, EXIT_OURS, "--retire=%s is unknown; did you mean %s?",
				 value, meant);
	return error_set(error, EXIT_OURS,
			 "--retire=%.64s: it wants a number of system calls, never or auto", value);
}

/* Which of the choices the value is; -1 with a sentence for none. */
static int choose(const char *option, const char *value, const char *const *choices, size_t count,
		  struct error *error)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(choices[i], value) == 0)
			return (int)i;
	similar_refuse(error, option, value, strlen(value), choices, count);
	return -1;
}

static bool choose_engine(const char *value, struct options *options, struct error *error)
{
	size_t count = 0;
	int choice;

	while (engine_names[count] != NULL)
		count++;
	choice = choose("--engine", value, engine_names, count, error);
	if (choice >= 0)
		options->engine = engine_names[choice];
	return choice >= 0;
}

static bool choose_guard(const char *value, struct options *options, struct error *error)
{
	static const char *const choices[] = {
	    [CHOOSE_AUTO] = "auto",
	    [CHOOSE_REQUIRE] = "require",
	    [CHOOSE_NONE] = "none",
	};
	int choice = choose("--guard", value, choices, 3, error);

	options->guard = (enum guard_choice)choice;
	return choice >= 0;
}

static bool choose_explain(const char *value, struct options *options, struct error *error)
{
	static const char *const choices[] = {"text", "json"};
	static const enum explain_format formats[] = {EXPLAIN_TEXT, EXPLAIN_JSON};
	int choice = value == NULL ? 0 : choose("--explain", value, choices, 2, error);

	if (choice >= 0)
		options->explain = formats[choice];
	return choice >= 0;
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

/* Whether it names a file. */
static bool is_about_file(int option)
{
	return option == 's' || option == OPTION_PROFILE || option == OPTION_RECORD ||
	       option == OPTION_TRACE;
}

/* What was found on the way to the program, for what may be wrong with it. */
struct parsing {
	const struct option *taker; /* the last one that took a separate word for its value */
	const char *taken;
	int bare_end; /* optind behind the last one that may have a value and has none */
};

static const struct option *option_of(int value)
{
	const struct option *option = long_options;

	while (option->val != value)
		option++;
	return option;
}

/* What is strange about how the option got its value, or did not. */
static bool check_value(const struct option *option, char **argv, struct parsing *parsing,
			struct options *options, struct error *error)
{
	if (option->has_arg == optional_argument && optarg == NULL) {
		parsing->bare_end = optind;
		options->bare = option->name;
	}
	if (optarg == NULL)
		return true;
	if (*optarg == '\0' && is_about_file(option->val))
		return options_refuse_empty(option, error);
	if (optarg != argv[optind - 1])
		return true;
	parsing->taker = option;
	parsing->taken = optarg;
	return optarg[0] != '-' || optarg[1] == '\0' ||
	       (option->val == OPTION_ARGV0 && optarg[1] != '-') ||
	       options_refuse_dash(option, optarg, error);
}

static bool accept(int value, const struct strategy *strategy, char **argv, struct parsing *parsing,
		   struct options *options, struct error *error)
{
	const struct option *option = option_of(value);

	if (is_about_laziness(value) && strategy->default_policy == NULL)
		return error_set(error, EXIT_OURS,
				 "--%s has no meaning here: every page is in memory before the "
				 "program starts; leave it out, or use hybrid_loader",
				 option->name);
	return check_value(option, argv, parsing, options, error) && apply(value, options, error);
}

bool options_parse(const struct strategy *strategy, int argc, char **argv, struct options *options,
		   struct error *error)
{
	struct parsing parsing = {.taker = NULL};
	int option;

	*options = (struct options){.loader = argv[0], .retire = GUARD_AUTO};
	if (strategy->default_policy != NULL &&
	    !choose_policy(strategy->default_policy, options, error))
		return false;
	opterr = 0;
	/* "+": stop at the first word that is no option; ":": tell a missing value apart. */
	while ((option = getopt_long(argc, argv, "+:hVvs", long_options, NULL)) != -1) {
		if (option == '?' || option == ':')
			return options_complain(option, argv, long_options, error);
		if (!accept(option, strategy, argv, &parsing, options, error))
			return false;
	}
	if (options->step && options->explain == EXPLAIN_NOTHING)
		options->explain = EXPLAIN_TEXT;
	if (parsing.bare_end != optind)
		options->bare = NULL;
	options->program = argv + optind;
	return *options->program != NULL || options->help || options->version ||
	       options_no_program(parsing.taker, parsing.taken, error);
}
