#include "loader/profile/steps.h"

#include "common/clock.h"
#include "common/printable.h"
#include "common/report.h"
#include "common/userfaultfd.h"
#include "loader/profile/expire.h"
#include "loader/files/files_text.h"
#include "loader/files/merge.h"
#include "loader/files/read_ahead.h"
#include "loader/profile/profile_key.h"
#include "loader/profile/profile_place.h"
#include "loader/profile/profile_text.h"
#include "loader/profile/seen.h"
#include "loader/profile/watcher.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
		report_detail("reads ahead %lu KiB of %zu file%s, in %lu request%s",
			      result.bytes >> 10, result.used, plural(result.used), result.requests,
			      plural(result.requests));
	else if (guest->profile.files.count > 0)
		report_detail("all files that its profile names (%zu) are in memory already",
			      guest->profile.files.count);
}

/* The path of an open file as /proc/PID/maps shows it. */
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

/* What is learned from a run. Used in the loader, and in the watcher, which is a copy of it. */
struct lesson {
	const struct guest *guest;
	struct seen seen;
	struct watcher_task task;
	struct watcher watcher;
	bool is_over; /* the watching loader has finished learning */
};

static struct lesson lesson;

static bool sees_program(const struct seen *seen)
{
	const struct known_files *files = &seen->files;

	return files->count > 0 && files->files[0].role == FILE_PROGRAM;
}

static void print(const struct known_files *files, FILE *out)
{
	const struct profile *profile = &lesson.guest->profile;
	const char *script = lesson.guest->profile_script;
	char name[4096];

	fprintf(out, "page-profile 2\nprogram %s",
		printable_line(lesson.guest->name, name, sizeof(name)));
	if (script != NULL && script != lesson.guest->script)
		fprintf(out, " %s", printable_line(script, name, sizeof(name)));
	fprintf(out, "\nkey %s\nruns %zu\n", lesson.guest->profile_key, profile->count);
	for (size_t i = 0; i < profile->count; i++)
		fprintf(out, "%lx %lx %c\n", profile->runs[i].first, profile->runs[i].pages,
			profile->runs[i].written ? 'w' : 'r');
	files_print(files, out);
}

static void write_profile(struct output_file *output, const struct known_files *files)
{
	output_file_begin(output);
	if (output->stream == NULL)
		return;
	print(files, output->stream);
	/* The next start would not read a longer file to its end. */
	if (ftell(output->stream) > PROFILE_TEXT_MAX)
		output->failure = EFBIG;
}

/* Writes the profile to the cache. A failure is not reported: the old profile stays. */
static void write_to_cache(const struct known_files *files)
{
	const struct profile_place *place = lesson.guest->profile_place;
	struct output_file output;
	struct error error;

	/*
	 * The new file need not be on the disk before the old one is replaced. Paths reveal what a
	 * user does, so only the owner can read it.
	 */
	if (!output_file_open_in(&output, "the profile", place->folder, place->name, 0600, &error))
		return;
	write_profile(&output, files);
	output_file_commit(&output, &error);
}

static void look(void *context, const struct held *held, bool is_last)
{
	(void)context;
	seen_look(&lesson.seen, held, is_last ? LOOK_LAST : LOOK_BETWEEN);
}

/* Looks up what was seen, and merges it with the old profile. Returns false for no result. */
static bool find_files(struct known_files *merged)
{
	struct seen *seen = &lesson.seen;

	if (seen->count == 0 || !files_make(merged))
		return false;
	if (!seen_add_mapped(seen) || !sees_program(seen))
		return false;
	seen_add_read(seen);
	files_merge(&lesson.guest->profile.files, &seen->files, merged);
	return true;
}

static void finish(void *context)
{
	struct known_files merged;

	(void)context;
	if (find_files(&merged))
		write_to_cache(&merged);
	profile_expire(lesson.guest->profile_place->folder);
}

/*
 * A start without missing pages is not slowed down to learn again. After some cold starts a profile
 * changes little, so one lesson a day is enough.
 */
static bool is_worth_learning(const struct guest *guest)
{
	const struct profile *profile = &guest->profile;

	if (guest->options.learn != NULL)
		return true;
	if (guest->options.profile_is_kept || guest->options.record != NULL ||
	    guest->start.under_valgrind)
		return false;
	return profile->files.learned == 0 ||
	       (guest->was_cold && (profile->files.learned < KEPT_RUNS ||
				    profile->written + SECONDS_BETWEEN < clock_real().tv_sec));
}

static void prepare_lesson(const struct guest *guest)
{
	lesson.guest = guest;
	lesson.seen.began = clock_real();
	lesson.seen.patience = guest->options.learn != NULL ? 10 : 1;
	lesson.seen.own =
	    guest->profile_place != NULL ? guest->profile_place->path : guest->options.learn;
	lesson.seen.program = path_of(&guest->objects[PROGRAM]);
	if (guest_has_interpreter(guest))
		lesson.seen.interpreter = path_of(&guest->objects[INTERPRETER]);
}

/* Starts to learn. Returns NULL, or why a run that would be worth it is not learned from. */
static const char *start_lesson(const struct guest *guest, struct error *error)
{
	const char *refusal = guest->is_watched ? NULL : watcher_refusal();

	if (refusal != NULL)
		return refusal;
	if (guest->profile_place != NULL && !profile_place_make(guest->profile_place, error))
		return error->text;
	prepare_lesson(guest);
	/* The watching loader learns itself. */
	if (guest->is_watched)
		return NULL;
	lesson.task = (struct watcher_task){look, finish, NULL, &guest->profile_place->folder};
	return watcher_start(&lesson.task, &lesson.watcher) ? NULL : strerror(errno);
}

static void tell_refusal(const char *reason)
{
	report_detail("nothing is learned from this run: %s", reason);
}

void profile_learn(struct guest *guest)
{
	struct error error;
	const char *refusal;

	if (guest->profile_place == NULL && guest->options.learn == NULL)
		return;
	if (is_worth_learning(guest)) {
		refusal = start_lesson(guest, &error);
		guest->learns = refusal == NULL;
		if (refusal != NULL)
			tell_refusal(refusal);
	}
	/* The watching loader uses it later: see profile_learn_begin(). */
	if (guest->profile_place != NULL && !(guest->learns && guest->is_watched))
		profile_place_close(guest->profile_place);
}

void profile_learn_exactly(struct guest *guest)
{
	struct mapped at = {.object = NULL};

	if (!guest->learns)
		return;
	/*
	 * Write protection that the kernel itself removes at a write is the mode that any mapping
	 * may have, and in which no thread ever waits. No page is protected. The only purpose is
	 * that the kernel maps no page around a fault (uffd_disable_fault_around). A staged page
	 * comes without the mode, and could not merge with a mapping that has it.
	 */
	guest->exact = userfaultfd_open(KERNEL_UFFD_USER_MODE_ONLY, KERNEL_UFFD_FEATURE_WP_ASYNC);
	if (guest->exact < 0)
		return;
	while (guest_next_mapping(guest, &at))
		if (at.mapping->from_file && !mapping_is_staged(at.mapping))
			userfaultfd_register(guest->exact, at.mapping->address, at.mapping->length,
					     KERNEL_UFFD_REGISTER_MODE_WP);
}

void profile_learn_begin(const struct guest *guest)
{
	const char *refusal;

	if (!guest->learns)
		return;
	if (guest->is_watched) {
		if (guest->profile_place != NULL)
			profile_place_close(guest->profile_place);
		return;
	}
	refusal = watcher_begin(&lesson.watcher, guest->exact);
	if (guest->exact >= 0)
		close(guest->exact);
	if (refusal != NULL)
		tell_refusal(refusal);
	else
		report_detail("the loader learns from this run");
}

/* For --learn: reports errors, because the user waits for the file. */
static void finish_named(struct output_file *output)
{
	struct known_files merged;
	struct error error;

	if (find_files(&merged)) {
		write_profile(output, &merged);
		output_file_finish(output);
		return;
	}
	error_set(
	    &error, EXIT_OURS,
	    "nothing is learned: no page of its file was seen, or the file is in memory or on a "
	    "network; copy it to a disk");
	output_file_abandon(output, &error);
}

void profile_learn_end(const struct guest *guest, const struct held *held)
{
	struct output_file learned = guest->learned;

	if (!guest->learns || lesson.is_over)
		return;
	lesson.is_over = true;
	seen_look(&lesson.seen, held, LOOK_OF_WATCHING_LOADER);
	if (guest->options.learn != NULL)
		finish_named(&learned);
	else
		finish(NULL);
}
