#include "loader/options.h"

#include "loader/guest.h"
#include "loader/resident/guard.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPTION_PLAN = 256,
	OPTION_ARGV0,
	OPTION_PROFILE,
	OPTION_POLICY,
	OPTION_ENGINE,
	OPTION_RETIRE,
	OPTION_GUARD,
	OPTION_RECORD,
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
    {"record", required_argument, NULL, OPTION_RECORD},
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

/* getopt's complaint as our own sentence; it has moved optind behind the word at fault. */
static bool complain(int result, char **argv, struct error *error)
{
	const char *word = argv[optind - 1];

	if (result == ':')
		return error_set(error, EXIT_OURS, "%s wants a value; see --help", word);
	if (optopt != 0 && optopt < OPTION_PLAN && strncmp(word, "--", 2) != 0)
		return error_set(error, EXIT_OURS, "there is no option -%c; see --help", optopt);
	if (optopt != 0)
		return error_set(error, EXIT_OURS, "%s: this option takes no value; see --help",
				 word);
	return error_set(error, EXIT_OURS, "there is no option %s, or it is ambiguous; see --help",
			 word);
}

/* Those about pages that are not there yet. */
static bool is_about_laziness(int option)
{
	return option >= OPTION_POLICY && option <= OPTION_VERIFY;
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
	case OPTION_PROFILE:
		options->profile = optarg;
		return true;
	case OPTION_RECORD:
		options->record = optarg;
		return true;
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
					 "the program starts",
					 argv[optind - 1]);
		if (!apply(option, options, error))
			return false;
	}
	options->program = argv + optind;
	if (*options->program == NULL && !options->help && !options->version)
		return error_set(error, EXIT_OURS, "no program was named; see --help");
	return true;
}

static bool flush_output(void)
{
	return fflush(stdout) == 0 && ferror(stdout) == 0;
}

bool options_print_version(const struct strategy *strategy)
{
	printf("%s %s\n", strategy->name, LOADER_VERSION);
	return flush_output();
}

static void print_lazy_help(const struct strategy *strategy)
{
	printf("      --record=FILE    write which pages the program touches, in order\n");
	printf("      --policy=NAME[,pages=N]  what to bring in beside a touched page:\n");
	for (size_t i = 0; i < policy_count; i++)
		printf("                         %-10s %s%s\n", policies[i].name,
		       policies[i].summary,
		       strcmp(policies[i].name, strategy->default_policy) == 0 ? " (default)" : "");
	printf("      --engine=NAME    how pages are hidden: guard, mprotect, mmap, userfaultfd;\n"
	       "                       by default the best that the kernel has\n"
	       "      --retire=N       end lazy paging after N system calls, or never, or auto:\n"
	       "                       when it no longer pays (default)\n"
	       "      --guard=WHEN     intercept system calls: auto, require (or refuse to run),\n"
	       "                       none (they fail on pages that are not there)\n"
	       "      --verify         compare records with the kernel's at each step: slow\n");
}

bool options_print_help(const struct strategy *strategy)
{
	printf("Usage: %s [OPTION]... PROGRAM [ARG]...\n"
	       "Runs a static x86-64 Linux program without execve.\n%s\n\n"
	       "  -v, --verbose        say each mapping made for the program, on standard error\n"
	       "  -s, --stats[=FILE]   at exit, print statistics on standard error, or as JSON to\n"
	       "                       FILE; the program then runs as a child process\n"
	       "      --plan           print the load plan and exit\n"
	       "      --argv0=NAME     the program's argv[0], instead of PROGRAM as typed\n"
	       "      --profile=FILE   bring in before entry what a recorded run touched, and "
	       "nothing\n"
	       "                       else; a directory, or auto for the user's cache\n",
	       strategy->name, strategy->summary);
	if (strategy->default_policy != NULL)
		print_lazy_help(strategy);
	printf("  -h, --help           print this and exit\n"
	       "  -V, --version        print the version and exit\n\n"
	       "Options end at the first word that is not one. PROGRAM without a slash is looked\n"
	       "up in PATH. Exit status: the program's own; 125 wrong usage or a failure of the\n"
	       "loader, 126 found but not loadable, 127 not found.\n\n"
	       "  %s ./prog1\n"
	       "  %s -v busybox ls -l\n"
	       "  %s --stats=run.json ./prog2\n",
	       strategy->name, strategy->name, strategy->name);
	return flush_output();
}
