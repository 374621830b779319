/*
 * page-layout [OPTION]... PID [START-END]: which physical frame backs each page of a process.
 */
#include "common/page.h"
#include "common/placement/layout.h"
#include "common/report.h"
#include "share/command/command.h"
#include "share/placement/layout_report.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum format { FORMAT_TEXT, FORMAT_COLORS, FORMAT_JSON };

struct request {
	enum format format;
	bool help, version;
	bool runs;
	uint64_t colors; /* 0: not asked for */
	int process;
	uint64_t start, end;
};

static void print_help(const char *name)
{
	printf("Usage: %s [OPTION]... PID [START-END]\n", name);
	puts("Prints which physical frame backs each page of a process, or of the range of it, in\n"
	     "hexadecimal: `vma:START END:COUNT` for each mapping, and a line a page: the number "
	     "of its\n"
	     "frame, or N (no frame yet), F (of a file, not mapped), S (swapped), ? (known to "
	     "those with\n"
	     "CAP_SYS_ADMIN only).\n\n"
	     "  -r, --runs         several N, F, S or ? in a row as one line: N 1000\n"
	     "  -c, --colors=BINS  how many frames have each number modulo BINS\n"
	     "  -j, --json         everything as JSON; with --colors, that, too\n"
	     "  -h, --help\n"
	     "  -V, --version\n\n"
	     "PID may be `self`. Exit status: 0; 125 when the process cannot be read, or for wrong "
	     "usage.");
}

static void print_version(void)
{
	puts("page-layout " TOOLKIT_VERSION
	     "\nMIT license; pagewise run --version lists the libraries inside");
}

static bool refuse(struct error *error, const char *what, const char *text)
{
	return error_set(error, EXIT_OURS, "%s, not '%.64s'; try --help", what, text);
}

static bool read_number(const char *text, int base, char end, uint64_t *number, const char **rest)
{
	char *stop;

	*number = strtoull(text, &stop, base);
	*rest = stop + 1;
	return stop != text && *stop == end && *text != '-' && *text != '+' && *text != ' ';
}

static bool read_range(const char *text, struct request *request)
{
	const char *rest;

	return read_number(text, 16, '-', &request->start, &rest) &&
	       read_number(rest, 16, '\0', &request->end, &rest) && request->start < request->end &&
	       page_offset(request->start | request->end) == 0;
}

static bool read_words(char **words, struct request *request, struct error *error)
{
	uint64_t process = 0;
	const char *rest;

	if (words[0] == NULL)
		return error_set(error, EXIT_OURS,
				 "the number of a process is missing; try --help");
	if (strcmp(words[0], "self") != 0 && (!read_number(words[0], 10, '\0', &process, &rest) ||
					      process == 0 || process > INT32_MAX))
		return refuse(error, "PID is the number of a process", words[0]);
	request->process = (int)process;
	request->end = UINT64_MAX;
	if (words[1] != NULL && !read_range(words[1], request))
		return refuse(error, "START-END are addresses of pages in hexadecimal", words[1]);
	return words[1] == NULL || words[2] == NULL ||
	       refuse(error, "there is one PID and one START-END", words[2]);
}

/* Reads no word after --help or --version. */
static bool read_options(int argc, char **argv, struct request *request, struct error *error)
{
	static const struct option known[] = {
	    {"runs", no_argument, NULL, 'r'},	 {"colors", required_argument, NULL, 'c'},
	    {"json", no_argument, NULL, 'j'},	 {"help", no_argument, NULL, 'h'},
	    {"version", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0},
	};
	const char *rest;
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":rc:jhV", known, NULL)) != -1) {
		request->help = letter == 'h';
		request->version = letter == 'V';
		if (request->help || request->version)
			return true;
		if (letter == 'r')
			request->runs = true;
		else if (letter == 'j')
			request->format = FORMAT_JSON;
		else if (letter != 'c')
			return refuse(error,
				      letter == ':' ? "--colors wants a number"
						    : "there are --runs, --colors and --json",
				      argv[optind - 1]);
		else if (!read_number(optarg, 10, '\0', &request->colors, &rest) ||
			 request->colors < 1 || request->colors > LAYOUT_COLORS_MAX)
			return refuse(error, "--colors is a number from 1 to 65536", optarg);
	}
	if (request->format == FORMAT_TEXT && request->colors > 0)
		request->format = FORMAT_COLORS;
	return read_words(argv + optind, request, error);
}

static bool print_text(const struct request *request, struct error *error)
{
	struct layout_text text = {.file = stdout, .runs = request->runs};
	const struct layout_visitor visitor = {layout_text_mapping, layout_text_page, &text};
	bool good = layout_read(request->process, request->start, request->end, &visitor, error);

	layout_text_end(&text);
	return good;
}

static bool print_report(const struct request *request, struct error *error)
{
	struct layout_report report = {
	    .file = request->format == FORMAT_JSON ? stdout : NULL,
	    .colors = request->colors,
	};
	const struct layout_visitor visitor = {layout_report_mapping, layout_report_page, &report};

	if (!layout_report_begin(&report, request->process, error) ||
	    !layout_read(request->process, request->start, request->end, &visitor, error))
		return false;
	if (request->colors > 0 && report.all.pages[LAYOUT_FRAME] == 0 &&
	    report.all.pages[LAYOUT_HIDDEN] > 0)
		return error_set(
		    error, EXIT_OURS,
		    "the kernel gives frame numbers only to processes with CAP_SYS_ADMIN, "
		    "and colors need them; run as root, or without --colors");
	layout_report_end(&report);
	if (request->format == FORMAT_COLORS)
		layout_report_colors(&report, stdout);
	return true;
}

int page_layout_main(const char *name, int argc, char **argv)
{
	struct request request = {.format = FORMAT_TEXT};
	struct error error = {.text = ""};
	bool good = read_options(argc, argv, &request, &error);

	report_begin(name, NULL, false);
	if (good && request.help)
		print_help(name);
	else if (good && request.version)
		print_version();
	else if (good)
		good = request.format == FORMAT_TEXT ? print_text(&request, &error)
						     : print_report(&request, &error);
	return report_exit_status(good, &error);
}
