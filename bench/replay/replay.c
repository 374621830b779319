/* replay: what prediction policies would have done with recordings, and what it would cost. */
#include "bench/shared/expand.h"
#include "bench/shared/json_file.h"
#include "bench/shared/tool.h"
#include "bench/replay/report.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The value that getopt_long returns for a cost; that of `signal` is the first one. */
#define COST(name) (256 + (int)offsetof(struct costs, name))

static const char usage[] =
    "Usage: replay [OPTION]... RECORDING...\n"
    "Runs prediction policies on recordings that a loader wrote with --record=FILE, and prints\n"
    "for each of them:\n"
    "  faults       signals served\n"
    "  coverage     pages touched that prediction had brought in, of all touched\n"
    "  accuracy     pages brought in ahead that were touched later, of all brought in ahead\n"
    "  wasted       pages populated and never touched; one that is only revealed costs nothing\n"
    "  peak         pages populated\n"
    "  modelled ms  with the costs below, and how many times what native paging takes\n"
    "\n"
    "      --policy=NAME[,pages=N]  a policy; may be repeated, and have braces:\n"
    "                         --policy={none,next-8} --policy=block,pages={16,64}\n"
    "                         (every policy there is, with its usual parameter)\n"
    "      --all              files' pages are lazy too, as under on_demand_loader; otherwise\n"
    "                         only .bss is, as under hybrid_loader\n"
    "      --huge-pages=WHEN  the system's setting: always, madvise (which is usual) or never\n"
    "      --json=FILE        everything, for programs\n"
    "  -h, --help\n"
    "\n"
    "Costs in microseconds:\n"
    "      --signal=US        a touch of a hidden page, handler and all (2.6)\n"
    "      --reveal=US        a call that reveals pages (0.6)\n"
    "      --kernel-fault=US  the kernel fills a revealed page (1.43)\n"
    "      --zero-fault=US    the same, of .bss that is only read (0.7)\n"
    "      --populate=US      a page that a call populates (0.98)\n"
    "      --huge=US          4 KiB of a huge page (0.26)\n"
    "      --collapse=US      a huge page of pages that are there, beyond filling it (170)\n"
    "Native paging is a kernel fault, or one of zeros, for each page touched; with huge\n"
    "pages always, a huge page for each 2 MiB.\n"
    "\n"
    "Exit status: 0; 125 for wrong usage or a recording that cannot be read.\n";

struct settings {
	struct simulation simulation; /* but for the policy */
	struct chosen_policy *policies;
	size_t policy_count;
	const char *json;
};

static void add_policy(struct settings *settings, const char *text)
{
	struct chosen_policy *longer =
	    realloc(settings->policies, (settings->policy_count + 1) * sizeof(*settings->policies));
	struct chosen_policy *chosen;
	struct error error;

	if (longer == NULL)
		tool_stop("out of memory");
	settings->policies = longer;
	chosen = &longer[settings->policy_count++];
	chosen->policy = policy_parse(text, &chosen->pages, &error);
	if (chosen->policy == NULL)
		tool_stop("%s", error.text);
}

static void add_policies(struct settings *settings, const char *text)
{
	size_t count;
	char **words = expand_braces(text, &count);

	if (words == NULL)
		tool_stop("out of memory");
	for (size_t i = 0; i < count; i++) {
		add_policy(settings, words[i]);
		free(words[i]);
	}
	free(words);
}

static void add_all_policies(struct settings *settings)
{
	for (size_t i = 0; i < policy_count; i++) {
		/* "next-N" stands for a family of names, and is none itself. */
		bool next = strcmp(policies[i].name, "next-N") == 0;
		char text[32];

		snprintf(text, sizeof(text), "next-%lu", policies[i].pages);
		add_policy(settings, next ? text : policies[i].name);
	}
}

static double microseconds(const char *name, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end != '\0' || !(value >= 0 && value <= 1e6))
		tool_stop("--%s is a number of microseconds from 0 to 1000000, not '%s'", name,
			  text);
	return value;
}

static const char *const setting_words[] = {
    [HUGE_NEVER] = "never",
    [HUGE_ON_ADVICE] = "madvise",
    [HUGE_ALWAYS] = "always",
};

static enum huge_pages setting_of(const char *text)
{
	for (unsigned i = 0; i < sizeof(setting_words) / sizeof(setting_words[0]); i++)
		if (strcmp(text, setting_words[i]) == 0)
			return (enum huge_pages)i;
	tool_stop("--huge-pages is always, madvise or never, not '%s'", text);
}

static void set_option(struct settings *settings, int letter, const char *name, const char *value)
{
	char *costs = (char *)&settings->simulation.costs;

	if (letter >= COST(signal)) {
		*(double *)(void *)(costs + letter - COST(signal)) = microseconds(name, value);
	} else if (letter == 'p') {
		add_policies(settings, value);
	} else if (letter == 'a') {
		settings->simulation.files = true;
	} else if (letter == 'n') {
		settings->simulation.huge_pages = setting_of(value);
	} else if (letter == 'j') {
		settings->json = value;
	} else if (letter == 'h') {
		fputs(usage, stdout);
		exit(0);
	} else {
		fputs("Try --help.\n", stderr);
		exit(TOOL_STOPPED);
	}
}

static void read_options(struct settings *settings, int argc, char **argv)
{
	static const struct option known[] = {
	    {"policy", required_argument, NULL, 'p'},
	    {"all", no_argument, NULL, 'a'},
	    {"huge-pages", required_argument, NULL, 'n'},
	    {"json", required_argument, NULL, 'j'},
	    {"signal", required_argument, NULL, COST(signal)},
	    {"reveal", required_argument, NULL, COST(reveal)},
	    {"kernel-fault", required_argument, NULL, COST(kernel_fault)},
	    {"zero-fault", required_argument, NULL, COST(zero_fault)},
	    {"populate", required_argument, NULL, COST(populate)},
	    {"huge", required_argument, NULL, COST(huge)},
	    {"collapse", required_argument, NULL, COST(collapse)},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0},
	};
	int letter, at = 0;

	while ((letter = getopt_long(argc, argv, "h", known, &at)) != -1)
		set_option(settings, letter, known[at].name, optarg);
	if (optind == argc)
		tool_stop("give recordings that a loader wrote with --record=FILE; try --help");
	if (settings->policy_count == 0)
		add_all_policies(settings);
}

static void read_recording(const char *path, struct recording *recording)
{
	FILE *file = fopen(path, "re");
	struct error error;

	if (file == NULL)
		tool_stop("cannot read %s: %s; name a recording that --record wrote", path,
			  strerror(errno));
	if (!recording_read(file, path, recording, &error))
		tool_stop("%s", error.text);
	fclose(file);
}

/* Prints one recording, and returns the same as JSON. */
static json_t *run_recording(const struct settings *settings, const char *path)
{
	struct recording recording;
	struct replay replay = {
	    .path = path,
	    .recording = &recording,
	    .policies = settings->policies,
	    .results = calloc(settings->policy_count, sizeof(*replay.results)),
	    .count = settings->policy_count,
	};
	json_t *json;

	if (replay.results == NULL)
		tool_stop("out of memory");
	read_recording(path, &recording);
	for (size_t i = 0; i < replay.count; i++) {
		struct simulation simulation = settings->simulation;

		simulation.predict = replay.policies[i].policy->predict;
		simulation.parameter = replay.policies[i].pages;
		if (!simulate(&recording, &simulation, &replay.results[i]))
			tool_stop("%s: out of memory", path);
	}
	report_print(stdout, &replay);
	json = report_json(&replay);
	free(replay.results);
	recording_free(&recording);
	return json;
}

static void write_json(const struct settings *settings, json_t *recordings)
{
	struct environment environment;
	json_t *results;

	environment_read(&environment);
	results = json_pack(
	    "{s:o, s:o, s:b, s:s, s:O}", "environment", environment_json(&environment), "costs_us",
	    report_costs_json(&settings->simulation.costs), "all", settings->simulation.files,
	    "huge_pages", setting_words[settings->simulation.huge_pages], "recordings", recordings);
	if (results == NULL)
		tool_stop("out of memory");
	if (!json_file_write(results, settings->json))
		tool_cannot_write(settings->json);
	json_decref(results);
}

int main(int argc, char **argv)
{
	struct settings settings = {
	    .simulation = {.costs = COSTS_DEFAULT, .huge_pages = HUGE_ON_ADVICE},
	};
	json_t *recordings = json_array();

	tool_name = "replay";
	read_options(&settings, argc, argv);
	tool_check_file(settings.json);
	for (int i = optind; i < argc; i++) {
		if (i > optind)
			putchar('\n');
		if (json_array_append_new(recordings, run_recording(&settings, argv[i])) != 0)
			tool_stop("out of memory");
	}
	if (settings.json != NULL)
		write_json(&settings, recordings);
	json_decref(recordings);
	free(settings.policies);
	if (ferror(stdout) | fclose(stdout))
		tool_stop("cannot write the table: %s; redirect standard output", strerror(errno));
	return 0;
}
