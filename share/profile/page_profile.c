/*
 * page-profile list|show|merge|warm|export|forget|learn: what the loaders' profiles know of files.
 */
#include "share/profile/page_profile.h"

#include "common/host_heap.h"
#include "common/report.h"
#include "common/similar.h"
#include "share/command/command.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum command { LIST, SHOW, MERGE, WARM, EXPORT, FORGET, LEARN, NO_COMMAND };

static const char *const commands[] = {"list",	 "show",   "merge", "warm",
				       "export", "forget", "learn"};

struct request {
	enum command command;
	bool help, version, verbose, all;
	const char *plot, *output, *format;
	char **names;
	size_t count;
};

static void print_help(const char *name)
{
	static const char *const usages[] = {
	    "list",
	    "show [--plot=FILE.svg] PROFILE",
	    "merge [--output=FILE] PROFILE...",
	    "warm [--verbose] PROFILE...",
	    "export --format=FORMAT PROFILE...",
	    "forget PROGRAM...|--all",
	    "learn --output=FILE [--] COMMAND [ARG]...",
	    "--version",
	};

	for (size_t i = 0; i < sizeof(usages) / sizeof(*usages); i++)
		printf("%s %s %s\n", i == 0 ? "Usage:" : "      ", name, usages[i]);
	puts("Works on profiles of files. PROFILE is a file, a folder of them, or a\n"
	     "program, whose profiles --profile=auto keeps in ~/.cache/pagewise.\n\n"
	     "  list    the profiles of the cache: last use, learned runs, size, program\n"
	     "  show    the files, how much of each is read ahead; or a picture of it\n"
	     "  merge   one profile of several of the same program, from several machines\n"
	     "  warm    asks the kernel to read all of it now, and says how much that was\n"
	     "  export  json, csv: ranges of bytes; nydus, soci, estargz: lists of files\n"
	     "  forget  removes profiles of these programs from the cache, or all\n"
	     "  learn   runs a command, and writes which files its start has used\n"
	     "\nExit status: 0, of learn the command's; 125 when a profile cannot be read, or for "
	     "wrong usage.");
}

static void print_version(void)
{
	puts("page-profile " TOOLKIT_VERSION
	     "\nMIT license; pagewise run --version lists the libraries inside");
}

static bool refuse(struct error *error, const char *what, const char *text)
{
	return error_set(error, EXIT_OURS, "%s, not '%.64s'; try --help", what, text);
}

static bool read_command(const char *word, struct request *request, struct error *error)
{
	const char *meant;

	if (word == NULL)
		return error_set(error, EXIT_OURS,
				 "a command is missing; there are list, show, merge, warm, export, "
				 "forget and learn");
	for (request->command = LIST; request->command < NO_COMMAND; request->command++)
		if (strcmp(word, commands[request->command]) == 0)
			return true;
	meant = similar_among(word, strlen(word), commands, NO_COMMAND);
	if (meant != NULL)
		return error_set(error, EXIT_OURS, "there is no command %.64s; did you mean %s?",
				 word, meant);
	return refuse(error, "there are list, show, merge, warm, export, forget and learn", word);
}

static bool check_learn(const struct request *request, struct error *error)
{
	if (request->output == NULL)
		return error_set(error, EXIT_OURS,
				 "--output is missing: write pagewise learn -o FILE -- COMMAND");
	return request->count > 0 ||
	       error_set(error, EXIT_OURS, "the command to run is missing; try --help");
}

/* The option that this command does not take; NULL: there is none. */
static const char *wrong_option(const struct request *request)
{
	enum command command = request->command;

	if (request->plot != NULL && command != SHOW)
		return "--plot";
	if (request->output != NULL && command != MERGE && command != LEARN)
		return "--output";
	if (request->format != NULL && command != EXPORT)
		return "--format";
	return request->all && command != FORGET ? "--all" : NULL;
}

/* Which options a command takes, and how many profiles. */
static bool check(const struct request *request, struct error *error)
{
	enum command command = request->command;
	const char *taken = wrong_option(request);

	if (taken != NULL)
		return error_set(error, EXIT_OURS, "%s takes no %s; leave it out, or see --help",
				 commands[command], taken);
	if (request->plot != NULL && *request->plot == '\0')
		return error_set(error, EXIT_OURS, "--plot needs a value; try --help");
	if (command == LEARN)
		return check_learn(request, error);
	if (command == EXPORT && request->format == NULL)
		return error_set(error, EXIT_OURS,
				 "--format is missing; there are " EXPORT_FORMATS);
	if (command == LIST)
		return request->count == 0 ||
		       refuse(error, "list takes no name", request->names[0]);
	if (command == FORGET && (request->count > 0) == request->all)
		return error_set(error, EXIT_OURS,
				 "forget wants the names of programs, or --all; try --help");
	if (request->count == 0 && !request->all)
		return error_set(error, EXIT_OURS, "the name of a profile is missing; try --help");
	if (command == SHOW && request->count > 1)
		return refuse(error, "there is one profile to show", request->names[1]);
	return true;
}

/* After `learn` options end with the first word: the others are the command's. */
static bool read_options(int argc, char **argv, bool learns, struct request *request,
			 struct error *error)
{
	static const struct option options[] = {
	    {"help", no_argument, NULL, 'h'},	      {"version", no_argument, NULL, 'V'},
	    {"verbose", no_argument, NULL, 'v'},      {"plot", required_argument, NULL, 'p'},
	    {"output", required_argument, NULL, 'o'}, {"format", required_argument, NULL, 'f'},
	    {"all", no_argument, NULL, 'a'},	      {NULL, 0, NULL, 0},
	};
	const char *letters = learns ? "+:hVvo:" : ":hVvo:";
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		switch (letter) {
		case 'h':
			request->help = true;
			return true;
		case 'V':
			request->version = true;
			return true;
		case 'v':
			request->verbose = true;
			break;
		case 'a':
			request->all = true;
			break;
		case 'p':
			request->plot = optarg;
			break;
		case 'o':
			if (!command_take_output(&request->output, optarg, error))
				return false;
			break;
		case 'f':
			request->format = optarg;
			break;
		case ':':
			return error_set(error, EXIT_OURS, "%s needs a value; try --help",
					 optopt == 'p'	 ? "--plot"
					 : optopt == 'o' ? "--output"
							 : "--format");
		default:
			return refuse(error,
				      learns ? "there are --output and --verbose"
					     : "there are --plot, --output, --format, --all and "
					       "--verbose",
				      argv[optind - 1]);
		}
	}
	return true;
}

static bool read_words(int argc, char **argv, struct request *request, struct error *error)
{
	int learns = argc > 1 && strcmp(argv[1], commands[LEARN]) == 0;

	argc -= learns;
	argv += learns;
	if (!read_options(argc, argv, learns, request, error))
		return false;
	if (request->help || request->version)
		return true;
	request->command = LEARN;
	if (!learns && !read_command(argv[optind++], request, error))
		return false;
	request->names = argv + optind;
	request->count = (size_t)(argc - optind);
	return check(request, error);
}

static bool plot(const struct profile_file *profile, const char *name, struct error *error)
{
	struct output_file file;

	if (strcmp(name, "-") == 0) {
		show_plot(profile, stdout);
		return true;
	}
	if (!command_output_open(&file, "the picture", name, error))
		return false;
	output_file_begin(&file);
	if (file.stream != NULL)
		show_plot(profile, file.stream);
	return output_file_commit(&file, error);
}

static bool show(const struct request *request, const struct profile_list *list,
		 struct error *error)
{
	if (request->plot != NULL && list->count > 1)
		return error_set(error, EXIT_OURS, "--plot draws one profile; name its file");
	if (request->plot != NULL)
		return plot(list->profiles, request->plot, error);
	for (size_t i = 0; i < list->count; i++) {
		if (i > 0)
			puts("");
		show_print(&list->profiles[i], stdout);
	}
	return true;
}

static bool run(const struct request *request, const struct profile_list *list, struct error *error)
{
	switch (request->command) {
	case SHOW:
		return show(request, list, error);
	case MERGE:
		return merge_write(list->profiles, list->count, request->output, error);
	case WARM:
		warm_all(list->profiles, list->count);
		return true;
	default:
		return export_print(list->profiles, list->count, request->format, stdout, error);
	}
}

static bool read_and_run(const struct request *request, struct error *error)
{
	struct profile_list list = {.count = 0};

	host_heap_grow_again();
	if (request->command == LIST)
		return cache_list(error);
	if (request->command == FORGET)
		return cache_forget(request->names, request->count, request->all, error);
	return profile_list_read(request->names, request->count, request->command == WARM, &list,
				 error) &&
	       run(request, &list, error);
}

int page_profile_main(const char *name, int argc, char **argv)
{
	struct request request = {.command = NO_COMMAND};
	struct error error = {.text = ""};
	bool good = read_words(argc, argv, &request, &error);

	report_begin(name, NULL, request.verbose);
	if (good && request.help)
		print_help(name);
	else if (good && request.version)
		print_version();
	else if (good && request.command == LEARN)
		return learn_run(name, request.names, request.count, request.output);
	else if (good)
		good = read_and_run(&request, &error);
	return report_exit_status(good, &error);
}
