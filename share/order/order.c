/* pagewise order: what files of --order are for, and the pages of traces. */
#include "share/order/order.h"

#include "common/report.h"
#include "common/similar.h"
#include "share/command/watch.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define OWN_NAME    "pagewise order"
#define ORDER_WORDS "show, merge, compare, export, recipe, pages and advice"

enum action { SHOW, MERGE, COMPARE, EXPORT, RECIPE, PAGES, ADVICE };

static const char *const actions[] = {"show",	"merge", "compare", "export",
				      "recipe", "pages", "advice"};

struct request {
	enum action action;
	const char *output, *format, *program;
	char **names;
	size_t count;
	bool help;
};

static void print_help(void)
{
	puts("Usage: pagewise order show ORDER\n"
	     "       pagewise order merge [-o FILE] ORDER...\n"
	     "       pagewise order compare ORDER ORDER\n"
	     "       pagewise order export --format=FORMAT [--program=FILE] [-o FILE] ORDER\n"
	     "       pagewise order recipe WHAT\n"
	     "       pagewise order pages|advice TRACE\n"
	     "ORDER is what pagewise run --order=FILE has written: functions in the order of\n"
	     "their first calls. TRACE is what on_demand_loader --policy=none --trace=FILE has\n"
	     "written.\n\n"
	     "  show     print how many pages the functions begin on, and how many they would\n"
	     "           take side by side\n"
	     "  merge    make one order of several runs; functions that only some of the runs\n"
	     "           call come last\n"
	     "  compare  print the functions that only one of two runs calls\n"
	     "  export   write a linker's file: lld, gold, ld or bolt. It has the functions of\n"
	     "           --program, where that is another build\n"
	     "  recipe   print the commands for " ORDER_RECIPES "\n"
	     "  pages    print the program's pages in the order of their first touches, each\n"
	     "           with its functions\n"
	     "  advice   print how many pages of each section the run touched, and what would\n"
	     "           lower that\n");
}

static bool read_options(int argc, char **argv, struct request *request, struct error *error)
{
	static const struct option options[] = {
	    {"help", no_argument, NULL, 'h'},
	    {"output", required_argument, NULL, 'o'},
	    {"format", required_argument, NULL, 'f'},
	    {"program", required_argument, NULL, 'p'},
	    {NULL, 0, NULL, 0},
	};
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
		switch (letter) {
		case 'h':
			request->help = true;
			return true;
		case 'o':
			if (!command_take_output(&request->output, optarg, error))
				return false;
			break;
		case 'f':
			request->format = optarg;
			break;
		case 'p':
			request->program = optarg;
			break;
		case ':':
			return error_set(
			    error, EXIT_OURS,
			    "--output, --format and --program need a value; try --help");
		default:
			return error_set(error, EXIT_OURS,
					 "there are --output, --format and --program, each with a "
					 "value, not '%.64s'; try --help",
					 argv[optind - 1]);
		}
	}
	return true;
}

/* Which options an action takes, and how many files. */
static bool check(const struct request *request, struct error *error)
{
	enum action action = request->action;

	if ((request->output != NULL && action != MERGE && action != EXPORT) ||
	    ((request->format != NULL || request->program != NULL) && action != EXPORT))
		return error_set(error, EXIT_OURS,
				 "--output is for merge and export, --format and --program for "
				 "export; leave them out");
	if (action == EXPORT && request->format == NULL)
		return error_set(error, EXIT_OURS, "--format is missing; there are " ORDER_FORMATS);
	if (request->count == (action == COMPARE ? 2 : 1) ||
	    (action == MERGE && request->count > 0))
		return true;
	return error_set(error, EXIT_OURS, "name %s after the command; try --help",
			 action == COMPARE  ? "two order files"
			 : action == RECIPE ? "a linker or a language"
			 : action == MERGE  ? "order files"
			 : action >= PAGES  ? "one trace"
					    : "one order file");
}

static bool read_action(const char *word, enum action *action, struct error *error)
{
	const char *meant;

	for (*action = SHOW; *action <= ADVICE; (*action)++)
		if (strcmp(word, actions[*action]) == 0)
			return true;
	meant = similar_among(word, strlen(word), actions, ADVICE + 1);
	error_set(error, EXIT_OURS, "there is no command %.64s; ", word);
	error_add(error, meant != NULL ? "did you mean %s?" : "there are " ORDER_WORDS, meant);
	return false;
}

static bool read_request(int argc, char **argv, struct request *request, struct error *error)
{
	const char *word;

	if (!read_options(argc, argv, request, error) || request->help)
		return request->help;
	word = optind < argc ? argv[optind++] : NULL;
	if (word == NULL)
		return error_set(error, EXIT_OURS,
				 "a command is missing; there are " ORDER_WORDS "; try --help");
	if (!read_action(word, &request->action, error))
		return false;
	request->names = argv + optind;
	request->count = (size_t)(argc - optind);
	return check(request, error);
}

/* Writes to standard output, or to the file that was named. */
static bool write_result(const struct request *request, const struct order_list *list,
			 struct error *error)
{
	struct output_file file;
	FILE *out = stdout;
	bool good = true;

	if (request->output != NULL) {
		if (!command_output_open(&file, "the order", request->output, error))
			return false;
		output_file_begin(&file);
		out = file.stream;
	}
	if (out != NULL && request->action == EXPORT)
		good = order_export(list, request->format, out, error);
	else if (out != NULL)
		order_list_write(list, out);
	if (request->output == NULL)
		return good;
	if (!good) {
		output_file_abandon(&file, error);
		return false;
	}
	return output_file_commit(&file, error);
}

static bool run(const struct request *request, struct order_list *lists, struct error *error)
{
	struct order_list merged;

	switch (request->action) {
	case SHOW:
		order_show(&lists[0], stdout);
		return true;
	case COMPARE:
		return order_compare(lists, stdout, error);
	case MERGE:
		return order_merge(lists, request->count, &merged, error) &&
		       write_result(request, &merged, error);
	default:
		if (request->program != NULL &&
		    !order_keep_known(&lists[0], request->program, error))
			return false;
		return write_result(request, &lists[0], error);
	}
}

static bool read_and_run(const struct request *request, struct error *error)
{
	struct order_list *lists;

	if (request->action == RECIPE)
		return order_recipe(request->names[0], stdout, error);
	if (request->action >= PAGES)
		return watch_become_script(OWN_NAME, "trace_pages.py",
					   request->action == PAGES ? "pages" : "advice",
					   request->names[0], error);
	lists = calloc(request->count, sizeof(*lists));
	if (lists == NULL)
		return error_no_memory(error, "for so many orders");
	for (size_t i = 0; i < request->count; i++) {
		if (!order_list_read(request->names[i], &lists[i], error))
			return false;
		if (strcmp(lists[i].end, "exit") != 0)
			report_warning("%s ends before its program did: %s", lists[i].path,
				       lists[i].end);
	}
	return run(request, lists, error);
}

int command_order(int argc, char **argv)
{
	struct request request = {.help = false};
	struct error error = {.text = ""};
	bool good;

	report_begin(OWN_NAME, NULL, false);
	good = read_request(argc, argv, &request, &error);
	if (good && request.help)
		print_help();
	else if (good)
		good = read_and_run(&request, &error);
	return report_exit_status(good, &error);
}
