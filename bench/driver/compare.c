/* compare: programs under loaders and in native runs, measured in interleaved rounds. */
#include "bench/report/against.h"
#include "bench/driver/compare_options.h"
#include "bench/shared/environment.h"
#include "bench/report/export_json.h"
#include "bench/shared/json_file.h"
#include "bench/run/measure.h"
#include "bench/run/progress.h"
#include "bench/shared/tool.h"
#include "bench/report/table.h"
#include "bench/report/warnings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The machine before and after; what was found doubtful. */
struct circumstances {
	struct environment before, after;
	char warnings[WARNINGS_MAX][WARNINGS_LENGTH];
	size_t warning_count;
};

static void add_commands(struct session *session, const struct options *options)
{
	/* The launcher alone, so that what it adds to every wall time is known. */
	bool added = session_add(session, NULL, "") != SESSION_NONE;

	for (size_t i = 0; i < options->programs.count; i++) {
		const char *program = options->programs.texts[i];

		added &= session_add(session, NULL, program) != SESSION_NONE;
		for (size_t j = 0; j < options->loaders.count; j++)
			added &= session_add(session, options->loaders.texts[j], program) !=
				 SESSION_NONE;
	}
	for (size_t i = 0; i < options->target_count; i++)
		added &= target_add(&options->targets[i], session);
	if (!added)
		tool_stop("out of memory; ask for fewer rounds or programs");
}

/* The parameters of a run, and how many runs are done, for the progress. */
struct runs {
	struct launcher launcher;
	size_t done, all;
	struct timespec start;
};

static bool run_command(void *context, const struct command *command, enum round_kind kind,
			struct run_sample *sample)
{
	struct runs *runs = context;
	struct timespec now;
	uint64_t gone;

	clock_gettime(CLOCK_MONOTONIC, &now);
	gone = (uint64_t)(now.tv_sec - runs->start.tv_sec) * 1000000000u;
	progress_show(runs->done++, runs->all, gone);
	return measure_run(&runs->launcher, command, kind, sample);
}

static void run_all(struct session *session, const struct options *options)
{
	char statistics[] = "/tmp/compare.XXXXXX";
	struct runs runs = {
	    .launcher = {options->launcher, options->timeout_s, statistics},
	    .all = session->count * session_rounds(session),
	};
	const struct command *failed;
	int fd = mkstemp(statistics), error;

	if (fd < 0)
		tool_stop("no file for statistics in /tmp: %s; make room there", strerror(errno));
	close(fd);
	clock_gettime(CLOCK_MONOTONIC, &runs.start);
	failed = session_run(session, run_command, &runs);
	error = errno;
	unlink(statistics);
	progress_show(runs.all, runs.all, 0);
	if (failed != NULL)
		tool_stop("cannot run %s: %s; name its path, and run it without compare",
			  failed->argv[0] == NULL ? "launcher" : failed->argv[0], strerror(error));
}

static void write_text(const char *path, const struct session *session,
		       const struct circumstances *circumstances,
		       void (*write)(FILE *, const struct session *, const struct circumstances *))
{
	FILE *file = fopen(path, "we");

	if (file == NULL)
		tool_cannot_write(path);
	write(file, session, circumstances);
	if (ferror(file) | fclose(file))
		tool_cannot_write(path);
}

static void write_csv(FILE *file, const struct session *session,
		      const struct circumstances *circumstances)
{
	(void)circumstances;
	export_csv(file, session);
}

static void write_markdown(FILE *file, const struct session *session,
			   const struct circumstances *circumstances)
{
	environment_print(file, &circumstances->before);
	fprintf(file, "\n");
	table_print(file, session, TABLE_MARKDOWN);
}

static json_t *results_json(const struct session *session,
			    const struct circumstances *circumstances)
{
	json_t *results = export_json(session, &circumstances->before);
	json_t *warnings = json_array();

	for (size_t i = 0; i < circumstances->warning_count; i++)
		json_array_append_new(warnings, json_string(circumstances->warnings[i]));
	if (results == NULL || json_object_set_new(results, "warnings", warnings) != 0)
		tool_stop("out of memory; ask for fewer rounds or programs");
	return results;
}

static void write_files(const struct options *options, const struct session *session,
			const struct circumstances *circumstances)
{
	json_t *results = results_json(session, circumstances);

	if (options->against != NULL) {
		printf("\nAgainst the earlier results:\n");
		against_print(stdout, options->against, results);
	}
	if (options->json != NULL && !json_file_write(results, options->json))
		tool_cannot_write(options->json);
	json_decref(results);
	if (options->csv != NULL)
		write_text(options->csv, session, circumstances, write_csv);
	if (options->markdown != NULL)
		write_text(options->markdown, session, circumstances, write_markdown);
}

static void print_results(const struct options *options, const struct session *session,
			  const struct circumstances *circumstances)
{
	size_t launcher = session_find(session, NULL, "");
	struct interval cost = session_interval(session, launcher, MEASURE_wall_ns, VIEW_PLAIN);

	environment_print(stdout, &circumstances->before);
	printf("Medians of %zu rounds in random order, of memory %zu; compared with native pair\n"
	       "by pair within a round. %.2f ms of every wall time start and reap a process.\n",
	       session->rounds[ROUND_time], session->rounds[ROUND_memory], cost.median);
	table_print_absent(stdout, session);
	printf("\n");
	if (options->target_count > 0)
		target_print(stdout, session, options->targets, options->target_count);
	else if (options->matrix)
		matrix_print(stdout, session, 24);
	else
		table_print(stdout, session, TABLE_TEXT);
	for (size_t i = 0; i < circumstances->warning_count; i++)
		printf("Warning: %s\n", circumstances->warnings[i]);
}

int main(int argc, char **argv)
{
	struct options options;
	struct circumstances circumstances;
	struct session session = {0};
	size_t differences;

	tool_name = "compare";
	options_read(&options, argc, argv);
	if (options.now != NULL) {
		against_print(stdout, options.against, options.now);
		options_free(&options);
		return 0;
	}
	memcpy(session.rounds, options.rounds, sizeof(session.rounds));
	session.seed = options.seed;
	environment_read(&circumstances.before);
	add_commands(&session, &options);
	run_all(&session, &options);
	environment_read(&circumstances.after);
	circumstances.warning_count = warnings_find(&session, &circumstances.before,
						    &circumstances.after, circumstances.warnings);
	print_results(&options, &session, &circumstances);
	differences = table_print_differences(stdout, &session);
	write_files(&options, &session, &circumstances);
	session_free(&session);
	options_free(&options);
	return differences > 0 ? ENDED_DIFFERENTLY : 0;
}
