#include "common/output_file.h"

#include "common/clock.h"
#include "common/output_target.h"
#include "common/report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX	       ".partial-XXXXXX"
#define RANDOM_LETTERS 6

/* Bytes of the target's name that are kept, so that the suffix has room (NAME_MAX). */
#define NAME_KEPT (NAME_MAX - (int)sizeof(SUFFIX))

#define MOMENT_NANOSECONDS (10 * 1000 * 1000)
#define MOMENTS_OF_WAITING 100

static bool refuse(const struct output_file *file, int reason, struct error *error)
{
	return error_set(error, EXIT_OURS, "%s cannot be written to %.256s: %s; %s%s", file->what,
			 file->name, strerror(reason),
			 file->replaces ? "the old file is kept; " : "", error_file_remedy(reason));
}

/* As mkostemp(3), in file->folder: changes the letters until no such file exists. */
static int make_new(const struct output_file *file, char *letters)
{
	static const char set[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	uint64_t random;
	int descriptor;

	do {
		if (getrandom(&random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
			random = clock_now_ns() * (uint64_t)getpid();
		for (int i = 0; i < RANDOM_LETTERS; i++, random /= 64)
			letters[i] = set[random % 64];
		descriptor = openat(file->folder, file->temporary,
				    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	} while (descriptor < 0 && errno == EEXIST);
	return descriptor;
}

/*
 * Makes a new file next to the target. Its name was unknown before, so it cannot be a link or
 * another user's file.
 */
static int make_temporary(struct output_file *file)
{
	size_t folder = output_target_folder(file->target);
	size_t size = strlen(file->target) + sizeof(SUFFIX);

	file->temporary = malloc(size);
	if (file->temporary == NULL)
		return -1;
	snprintf(file->temporary, size, "%.*s%.*s" SUFFIX, (int)folder, file->target, NAME_KEPT,
		 file->target + folder);
	return make_new(file, file->temporary + size - 1 - RANDOM_LETTERS);
}

/*
 * Whether the target could be replaced. Whether a file can be made next to it is tried. Whether the
 * existing file may be removed (in a folder like /tmp only its owner may) is tested with rmdir(2).
 * It checks that first, and removes no file (may_delete() in fs/namei.c).
 */
static bool can_replace(struct output_file *file)
{
	int probe = make_temporary(file), reason = errno;

	if (probe >= 0) {
		close(probe);
		unlinkat(file->folder, file->temporary, 0);
	}
	free(file->temporary);
	file->temporary = NULL;
	errno = reason;
	if (probe < 0 || !file->replaces || rmdir(file->target) == 0)
		return probe >= 0;
	return errno == ENOTDIR;
}

/* Opens a FIFO that has no reader yet, and may never get one. */
static int wait_for_reader(const struct output_file *file, const char *path, int flags)
{
	static const struct timespec moment = {.tv_nsec = MOMENT_NANOSECONDS};
	int descriptor = -1;

	for (int i = 0; i < MOMENTS_OF_WAITING && descriptor < 0; i++) {
		nanosleep(&moment, NULL);
		descriptor = open(path, flags | O_NONBLOCK);
		if (descriptor < 0 && errno != ENXIO)
			return -1;
	}
	if (descriptor >= 0)
		return descriptor;
	report_warning("%s waits for a reader of the FIFO %.256s", file->what, file->name);
	return open(path, flags);
}

/* Opens the existing file for writing, which does not change it. Returns -1 with errno. */
static int open_existing(const struct output_file *file, const struct output_target *target)
{
	int flags = O_WRONLY | O_NOCTTY | O_CLOEXEC | (target->is_foreign ? 0 : O_NOFOLLOW);
	int descriptor = open(target->path, flags | O_NONBLOCK);
	struct stat status;

	if (descriptor < 0 && errno == ENXIO && stat(target->path, &status) == 0 &&
	    S_ISFIFO(status.st_mode))
		descriptor = wait_for_reader(file, target->path, flags);
	if (descriptor >= 0)
		fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
	return descriptor;
}

/*
 * Keeps a descriptor that the output is written to directly. Its number is above 2: 0, 1 and 2
 * belong to the program.
 */
static bool keep(struct output_file *file, int descriptor)
{
	if ((fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDONLY) {
		errno = EBADF;
		return false;
	}
	file->descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return file->descriptor > 0;
}

/*
 * Accepts what exists at the target: a regular file to be replaced, or something to be kept open.
 */
static bool take_existing(struct output_file *file, const struct output_target *target,
			  int descriptor)
{
	struct stat status;

	if (fstat(descriptor, &status) != 0)
		return false;
	if (!S_ISREG(status.st_mode))
		return keep(file, descriptor);
	if (target->is_foreign || !output_target_trusted(target->path, &status)) {
		errno = EACCES;
		return false;
	}
	file->replaces = true;
	file->mode = status.st_mode & 0777;
	file->owner = status.st_uid;
	file->group = status.st_gid;
	file->target = strdup(target->path);
	return file->target != NULL && can_replace(file);
}

static bool open_target(struct output_file *file, const struct output_target *target)
{
	int descriptor, reason;
	bool taken;

	if (target->descriptor >= 0)
		return keep(file, target->descriptor);
	descriptor = open_existing(file, target);
	if (descriptor < 0 && errno == ENOENT && !target->is_foreign) {
		mode_t mask = umask(0);

		umask(mask);
		file->mode = 0666 & ~mask;
		file->target = strdup(target->path);
		return file->target != NULL && can_replace(file);
	}
	if (descriptor < 0)
		return false;
	taken = take_existing(file, target, descriptor);
	reason = errno;
	close(descriptor);
	errno = reason;
	return taken;
}

bool output_file_open(struct output_file *file, const char *what, const char *name,
		      struct error *error)
{
	struct output_target target;

	*file = (struct output_file){.what = what, .name = name, .folder = AT_FDCWD};
	if (!output_target_find(name, &target) || !open_target(file, &target))
		return refuse(file, errno, error);
	file->name = strdup(name);
	return file->name != NULL || error_no_memory(error, "for the name %.256s", name);
}

bool output_file_open_in(struct output_file *file, const char *what, int folder, const char *name,
			 mode_t mode, struct error *error)
{
	char *copy = strdup(name);

	*file = (struct output_file){
	    .what = what, .name = copy, .folder = folder, .target = copy, .mode = mode};
	return copy != NULL || error_no_memory(error, "for the name %.256s", name);
}

void output_file_begin(struct output_file *file)
{
	int descriptor = file->target != NULL ? make_temporary(file) : file->descriptor;

	if (descriptor >= 0)
		file->stream = fdopen(descriptor, "w");
	if (file->stream == NULL)
		file->failure = errno;
}

void output_file_note(struct output_file *file)
{
	if (ferror(file->stream) && file->failure == 0)
		file->failure = errno;
}

/*
 * Gives the new file the owner and the mode of the file that it replaces, as far as that is
 * permitted and the file system has owners. Until now only its maker could access it.
 */
static void make_alike(const struct output_file *file, int descriptor)
{
	if (file->replaces && fchown(descriptor, file->owner, file->group) != 0)
		(void)!fchown(descriptor, (uid_t)-1, file->group);
	(void)!fchmod(descriptor, file->mode);
}

/*
 * Does everything that can fail before the new file replaces the old one. If the machine stops,
 * only an older file could be lost. So the new data must be on the disk before the name is.
 */
static bool finish(const struct output_file *file)
{
	int descriptor = fileno(file->stream);

	if (fflush(file->stream) != 0)
		return false;
	if (file->target == NULL)
		return true;
	make_alike(file, descriptor);
	return !file->replaces || fsync(descriptor) == 0 || errno == EINVAL;
}

bool output_file_commit(struct output_file *file, struct error *error)
{
	if (file->stream != NULL) {
		output_file_note(file);
		if ((!finish(file) || fclose(file->stream) != 0) && file->failure == 0)
			file->failure = errno;
	}
	if (file->target != NULL && file->failure == 0 &&
	    renameat(file->folder, file->temporary, file->folder, file->target) != 0)
		file->failure = errno;
	if (file->failure == 0)
		return true;
	if (file->stream != NULL && file->target != NULL)
		unlinkat(file->folder, file->temporary, 0);
	return refuse(file, file->failure, error);
}

/* The result of output_file_missed(). */
static bool missed;

void output_file_finish(struct output_file *file)
{
	struct error error;

	if (output_file_commit(file, &error))
		return;
	report_error(&error);
	missed = true;
}

void output_file_abandon(struct output_file *file, const struct error *why)
{
	struct error ignored;

	file->failure = ECANCELED;
	output_file_commit(file, &ignored);
	report_error(why);
	missed = true;
}

bool output_file_missed(void)
{
	return missed;
}
