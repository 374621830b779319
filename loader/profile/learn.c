#include "loader/profile/steps.h"

#include "common/printable.h"
#include "common/report.h"
#include "common/userfaultfd.h"
#include "loader/profile/files/files_text.h"
#include "loader/profile/files/merge.h"
#include "loader/profile/files/read_ahead.h"
#include "loader/profile/hold.h"
#include "loader/profile/profile_key.h"
#include "loader/profile/profile_text.h"
#include "loader/profile/seen.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A program that runs longer has started: what it reads later is not for its next start. */
#define START_MILLISECONDS 5000

#define SECONDS_BETWEEN (24 * 60 * 60)

void profile_read_ahead(struct guest *guest)
{
	const struct opened_files opened = {
	    .program = guest->objects[PROGRAM].file.descriptor,
	    .interpreter =
		guest_has_interpreter(guest) ? guest->objects[INTERPRETER].file.descriptor : -1,
	};
	struct read_ahead result = read_ahead(&guest->profile.files, &opened, false);

	guest->was_cold = result.was_cold;
	if (result.was_cold)
		report_detail("%lu KiB of %zu files are read ahead, in %lu requests",
			      result.bytes >> 10, result.used, result.requests);
	else if (guest->profile.files.count > 0)
		report_detail("the %zu files that its profile names are in memory already",
			      guest->profile.files.count);
}

/* The path that /proc/PID/maps has for an open file. */
static const char *path_of(const struct object *object)
{
	char link[32], path[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", object->file.descriptor);
	length = readlink(link, path, sizeof(path) - 1);
	if (length <= 0 || path[0] != '/')
		return NULL;
	path[length] = '\0';
	return strdup(path);
}

static bool sees_program(const struct seen *seen)
{
	const struct known_files *files = &seen->files;

	return files->count > 0 && files->files[0].role == FILE_PROGRAM;
}

/* What the watcher begins with. */
struct lesson {
	const struct guest *guest;
	char key[PROFILE_KEY_LENGTH], path[PROFILE_PATH_LENGTH]; /* of the profile */
	struct seen seen;
};

static void print(const struct lesson *lesson, const struct known_files *files, FILE *out)
{
	const struct profile *profile = &lesson->guest->profile;
	char name[4096];

	fprintf(out, "page-profile 2\nprogram %s\nkey %s\nruns %zu\n",
		printable_line(lesson->guest->name, name, sizeof(name)), lesson->key,
		profile->count);
	for (size_t i = 0; i < profile->count; i++)
		fprintf(out, "%lx %lx %c\n", profile->runs[i].first, profile->runs[i].pages,
			profile->runs[i].written ? 'w' : 'r');
	files_print(files, out);
}

/* What cannot be written stays as it is; nobody is left who could be told. */
static void write_profile(const struct lesson *lesson, const struct known_files *files)
{
	struct output_file output;
	struct error error;

	if (!output_file_open(&output, "the profile", lesson->path, &error))
		return;
	/*
	 * As if it were new: it need not be on the disk before the old one goes. Paths tell what
	 * somebody does, so it is its owner's alone.
	 */
	output.replaces = false;
	output.mode = 0600;
	output_file_begin(&output);
	if (output.stream != NULL) {
		print(lesson, files, output.stream);
		/* The next start would not read to its end. */
		if (ftell(output.stream) > PROFILE_TEXT_MAX)
			output.failure = EFBIG;
	}
	output_file_commit(&output, &error);
}

/* The watcher. Its memory is a copy of the loader's as it was before the program was mapped. */
static void learn(void *context, const struct held *held)
{
	struct lesson *lesson = context;
	struct seen *seen = &lesson->seen;
	struct pollfd program = {.fd = held->program, .events = POLLIN};
	struct known_files merged;

	seen->holder = held->holder;
	/* Whoever runs next goes first. */
	(void)!nice(10);
	while (poll(&program, 1, START_MILLISECONDS) < 0 && errno == EINTR)
		;
	if (!seen_begin(seen) || !files_make(&merged))
		return;
	seen_add_mapped(seen);
	if (!sees_program(seen))
		return;
	seen_add_read(seen);
	files_merge(&lesson->guest->profile.files, &seen->files, &merged);
	write_profile(lesson, &merged);
}

/*
 * A start that was warm is not slowed down to learn what is known. After some cold starts a profile
 * changes little, and a day between two lessons will do.
 */
static bool is_worth_learning(const struct guest *guest)
{
	const struct profile *profile = &guest->profile;

	if (guest->options.record != NULL || guest->start.under_valgrind)
		return false;
	return profile->files.learned == 0 ||
	       (guest->was_cold && (profile->files.learned < KEPT_RUNS ||
				    profile->written + SECONDS_BETWEEN < time(NULL)));
}

void profile_learn(struct guest *guest)
{
	struct lesson lesson;
	struct error error;

	if (!is_worth_learning(guest))
		return;
	lesson.guest = guest;
	lesson.seen = (struct seen){.count = 0};
	profile_key(guest, lesson.key);
	if (!profile_path(guest->options.profile, lesson.key, true, lesson.path, &error)) {
		report_detail("nothing is learned from this run: %s", error.text);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &lesson.seen.began);
	lesson.seen.program = path_of(&guest->objects[PROGRAM]);
	if (guest_has_interpreter(guest))
		lesson.seen.interpreter = path_of(&guest->objects[INTERPRETER]);
	/*
	 * Write protection that the kernel itself takes away on a write is the mode that any
	 * mapping may have, and in which nobody is ever waited for. No page is protected: the one
	 * effect that is wanted is that the kernel maps no page around a fault
	 * (uffd_disable_fault_around).
	 */
	guest->exact = userfaultfd_open(KERNEL_UFFD_USER_MODE_ONLY, KERNEL_UFFD_FEATURE_WP_ASYNC);
	if (hold_memory(learn, &lesson, guest->exact)) {
		report_detail("this run is learned from");
		return;
	}
	report_detail("nothing is learned from this run: %s", strerror(errno));
	if (guest->exact >= 0)
		close(guest->exact);
	guest->exact = -1;
}

void profile_learn_exactly(const struct guest *guest)
{
	struct mapped at = {.object = NULL};

	if (guest->exact < 0)
		return;
	while (guest_next_mapping(guest, &at))
		if (at.mapping->from_file)
			userfaultfd_register(guest->exact, at.mapping->address, at.mapping->length,
					     KERNEL_UFFD_REGISTER_MODE_WP);
	close(guest->exact);
}
