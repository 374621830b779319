#include "loader/cli/options.h"

#include "common/similar.h"
#include "loader/cli/options_mistakes.h"
#include "loader/cli/options_table.h"
#include "loader/resident/calls/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool choose_policy(const char *text, struct options *options, struct error *error)
{
	options->policy = policy_parse(text, &options->policy_pages, error);
	return options->policy != NULL;
}

/*
 * The index of the option's word that equals the first `length` bytes of the value. Returns -1, and
 * sets the error, if there is none.
 */
static int choose_part(enum option_id id, const char *value, size_t length, struct error *error)
{
	char option[sizeof(option_rows[0].name) + 2];

	snprintf(option, sizeof(option), "--%s", option_rows[id].name);
	return similar_choose(error, option, value, length, option_text(id, OPTION_WORDS));
}

/* A value that was left out means the first of the words. */
static int choose(enum option_id id, const char *value, struct error *error)
{
	return value == NULL ? 0 : choose_part(id, value, strlen(value), error);
}

static bool choose_retire(const char *value, struct options *options, struct error *error)
{
	const char *const words[] = {"auto", "never"}, *meant;
	char *end;

	options->retire = strtoul(value, &end, 10);
	if (value[0] >= '0' && value[0] <= '9' && *end == '\0' && options->retire < GUARD_AUTO)
		return true;
	meant = similar_among(value, strlen(value), words, 2);
	options->retire = meant == words[0] ? GUARD_AUTO : GUARD_NEVER;
	if (meant != NULL && strcmp(value, meant) == 0)
		return true;
	if (meant != NULL)
		return error_set(error, EXIT_OURS, "--retire=%s is unknown; did you mean %s?",
				 value, meant);
	return error_set(error, EXIT_OURS,
			 "--retire=%.64s is unknown; give a number of system calls, never or auto",
			 value);
}

static bool choose_only(const char *value, struct options *options, struct error *error)
{
	for (const char *part = value;; part++) {
		size_t length = strcspn(part, ",");
		int choice = choose_part(OPTION_only, part, length, error);

		if (choice < 0)
			return false;
		options->only |= 1U << choice;
		part += length;
		if (*part == '\0')
			return true;
	}
}

static bool choose_placement(const char *value, struct options *options, struct error *error)
{
	return strategy_parse("--placement", value, 0, &options->placement, error);
}

/* The colon before a strategy: the last one that is not followed by a number, as in coloring:16. */
static const char *last_word(const char *value)
{
	const char *found = NULL;

	for (const char *at = strchr(value, ':'); at != NULL; at = strchr(at + 1, ':'))
		if (at[1] < '0' || at[1] > '9')
			found = at;
	return found;
}

/* Finds the strategy in a hint. C++ symbols and file names may contain colons, too. */
static bool choose_place_hint(const char *value, struct options *options, struct error *error)
{
	const char *how = strstr(value, ":exact:");
	struct place_hint *hint;

	if (options->place_hints == NULL)
		options->place_hints = calloc(PLACE_HINTS_MAX, sizeof(*options->place_hints));
	if (options->place_hints == NULL)
		return error_no_memory(error, "for --place-hint");
	if (options->place_hint_count == PLACE_HINTS_MAX)
		return error_set(error, EXIT_OURS,
				 "--place-hint=%.64s: there may be %d of them; "
				 "leave one out",
				 value, PLACE_HINTS_MAX);
	if (how == NULL)
		how = last_word(value);
	if (how == NULL || how == value)
		return error_set(error, EXIT_OURS,
				 "--place-hint=%.64s has no strategy; write SYMBOL:STRATEGY or "
				 "START-END:STRATEGY",
				 value);
	hint = &options->place_hints[options->place_hint_count++];
	*hint = (struct place_hint){.where = value, .length = (uint64_t)(how - value)};
	return strategy_parse("--place-hint", how + 1, 0, &hint->strategy, error);
}

/* Without a file, learns into the cache, which is what --profile=auto does. */
static bool choose_learn(const char *value, struct options *options, struct error *error)
{
	(void)error;
	options->learn = value;
	if (value == NULL)
		options->profile = "auto";
	return true;
}

static bool apply(enum option_id id, const char *value, struct options *options,
		  struct error *error)
{
	int word;

	switch (id) {
#define FLAG(field)	       (options->field = true)
#define TEXT(field)	       ((options->field = value) != NULL)
#define FLAG_TEXT(flag, field) (options->field = value, FLAG(flag))
#define WORD(assignment)       ((word = choose(id, value, error)) >= 0 && (options->assignment, true))
#define CALL(function)	       function(value, options, error)
#define OPTION(name, letter, takes, metavar, words, loaders, group, sets, help)                    \
	case OPTION_##name:                                                                        \
		return sets;
#include "loader/cli/options.def"
	default:
		return false;
	}
}

/* What the parser remembers, for hints if the program cannot be found. */
struct parsing {
	const char *taker; /* the last option that took a separate word as its value */
	const char *taken;
	int bare_end; /* optind after the last option whose optional value was left out */
};

/*
 * Refuses two kinds of values: an empty file name (`--trace=`), and a next word that looks like an
 * option (`--trace -v`), which was hardly meant as the value. A word with one dash is accepted only
 * if the option takes any word, such as a login shell's argv[0].
 */
static bool check_value(enum option_id id, char **argv, struct parsing *parsing,
			struct options *options, struct error *error)
{
	const char *name = option_rows[id].name, *words = option_text(id, OPTION_WORDS);

	if (option_rows[id].takes == PERHAPS && optarg == NULL) {
		parsing->bare_end = optind;
		options->bare = name;
	}
	if (optarg == NULL)
		return true;
	if (*optarg == '\0' && strcmp(words, FILES) == 0)
		return error_set(error, EXIT_OURS, "--%s= names no file; write --%s=%s", name, name,
				 option_text(id, OPTION_VALUE));
	if (optarg != argv[optind - 1])
		return true;
	parsing->taker = name;
	parsing->taken = optarg;
	return optarg[0] != '-' || optarg[1] == '\0' ||
	       (strcmp(words, ANYTHING) == 0 && optarg[1] != '-') ||
	       error_set(error, EXIT_OURS,
			 "--%s took %.64s as its value; if that is meant, write --%s=%.64s", name,
			 optarg, name, optarg);
}

static bool accept(enum option_id id, const struct strategy *strategy, char **argv,
		   struct parsing *parsing, struct options *options, struct error *error)
{
	if (!option_is_for(id, strategy->default_policy != NULL))
		return error_set(
		    error, EXIT_OURS, "--%s has no meaning here: %s", option_rows[id].name,
		    strategy->default_policy == NULL
			? "every page is in memory before the program starts; leave it "
			  "out, or use hybrid_loader"
			: "pages come into memory when they are touched; leave it out");
	return check_value(id, argv, parsing, options, error) && apply(id, optarg, options, error);
}

bool options_place(const struct options *options)
{
	return options->placement.kind != STRATEGY_NONE || options->place_hint_count > 0;
}

/*
 * Checks that pages can be placed. Only the engine userfaultfd places pages when they are touched,
 * and only while lazy paging lasts. So --placement keeps lazy paging on unless --retire sets an
 * end.
 */
static bool settle_placement(struct options *options, struct error *error)
{
	if (!options_place(options))
		return true;
	if (options->retire == GUARD_AUTO)
		options->retire = GUARD_NEVER;
	return options->engine == NULL || strcmp(options->engine, "userfaultfd") == 0 ||
	       error_set(error, EXIT_OURS,
			 "--engine=%s cannot place pages; leave it out, or --placement and "
			 "--place-hint",
			 options->engine);
}

/* Hidden pages raise signals of their own, and --order needs system calls to be intercepted. */
static bool check_order(const struct options *options, struct error *error)
{
	if (options->order == NULL && (options->debug_file != NULL || options->order_of != NULL))
		return error_set(error, EXIT_OURS,
				 "--%s is for --order=FILE, and there is no --order",
				 options->order_of != NULL ? "order-of" : "debug-file");
	if (options->order == NULL || (options->record == NULL && options->guard != CHOOSE_NONE))
		return true;
	return error_set(error, EXIT_OURS, "--order and --%s do not go together; leave one out",
			 options->record != NULL ? "record" : "guard=none");
}

static bool read_words(const struct strategy *strategy, int argc, char **argv,
		       struct parsing *parsing, struct options *options, struct error *error)
{
	struct option_getopt getopt;
	int found;

	option_prepare_getopt(&getopt);
	opterr = 0;
	while ((found = getopt_long(argc, argv, getopt.letters, getopt.known, NULL)) != -1) {
		if (found == '?' || found == ':')
			return options_complain(found, argv, getopt.known, error);
		if (!accept(option_found(found), strategy, argv, parsing, options, error))
			return false;
	}
	if (parsing->bare_end != optind)
		options->bare = NULL;
	options->program = argv + optind;
	return true;
}

bool options_parse(const struct strategy *strategy, int argc, char **argv, struct options *options,
		   struct error *error)
{
	struct parsing parsing = {.taker = NULL};

	*options = (struct options){.retire = GUARD_AUTO, .program = argv + 1};
	if (strategy->default_policy != NULL) {
		options->policy = policy_that(strategy->default_policy);
		options->policy_pages = options->policy->pages;
	}
	/* Most starts have no option, and do not read the table of options. */
	if (argc > 1 && argv[1][0] == '-' &&
	    !read_words(strategy, argc, argv, &parsing, options, error))
		return false;
	if (strategy->uses_cache && options->profile == NULL && options->learn == NULL &&
	    options->record == NULL) {
		options->profile = "auto";
		options->profile_is_kept = true;
	}
	if (options->step && options->explain == EXPLAIN_NOTHING)
		options->explain = EXPLAIN_TEXT;
	if (options->only != 0 && options->trace == NULL)
		return error_set(error, EXIT_OURS,
				 "--only says what --trace=FILE writes, and there is no --trace");
	if (!check_order(options, error) || !settle_placement(options, error))
		return false;
	return *options->program != NULL || options->help || options->version ||
	       options_no_program(parsing.taker, parsing.taken, error);
}
