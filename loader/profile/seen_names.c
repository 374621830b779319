/*
 * Files that a program only reads leave no mapping, but names in its memory. A name counts if the
 * file exists and is in the page cache, and if its time of access does not rule out that this run
 * read it.
 */
#include "loader/profile/seen.h"

#include "common/clock.h"
#include "loader/files/merge.h"
#include "loader/files/read_ahead.h"

#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Processor time for looking up names. */
#define SEARCH_NANOSECONDS UINT64_C(60000000)

/* Longer files are accepted only if their time of access shows that this run has read them. */
#define SURE_BYTES (UINT64_C(1) << 20)

/* One byte in each block is checked for being in memory. */
#define BLOCK_BYTES (64 * 1024)

/* The most bytes of one file. */
#define FILE_MOST_BYTES (UINT64_C(16) << 20)

/*
 * Whether the time of access rules out that the file was read: this file system would have updated
 * it.
 */
static bool was_surely_not_read(const struct stat *status, const struct statfs *system,
				const struct timespec *began)
{
	uint64_t flags = (uint64_t)system->f_flags;
	time_t access = status->st_atim.tv_sec;

	if ((flags & ST_NOATIME) != 0)
		return false;
	if ((flags & ST_RELATIME) == 0)
		return true;
	/*
	 * relatime: a read updates a time that is not later than the last change, or is a day old.
	 */
	return access < status->st_mtim.tv_sec || access < status->st_ctim.tv_sec ||
	       access + 24 * 60 * 60 < began->tv_sec;
}

static bool was_surely_read(const struct stat *status, const struct timespec *began)
{
	/* The kernel's clock for files advances in steps of up to 10 ms. */
	int64_t since = (status->st_atim.tv_sec - began->tv_sec) * 1000 +
			(status->st_atim.tv_nsec - began->tv_nsec) / 1000000;

	return since >= -10;
}

/* Adds the blocks that are in memory: the program may have read all of each. */
static void add_ranges(struct seen *seen, uint64_t size, int descriptor)
{
	uint64_t most = size < FILE_MOST_BYTES ? size : FILE_MOST_BYTES;

	for (uint64_t at = 0; at < most; at += BLOCK_BYTES) {
		uint64_t end = at + BLOCK_BYTES < size ? at + BLOCK_BYTES : size;
		long blocks = blocks_read();

		if (residency_of(descriptor, at) != NOT_RESIDENT && blocks_read() == blocks)
			files_add_range(&seen->files, (struct file_range){at, end, 1});
	}
}

static bool may_have_been_read(const struct stat *status, const struct statfs *system,
			       const struct timespec *began)
{
	return was_surely_read(status, began) || ((uint64_t)status->st_size <= SURE_BYTES &&
						  !was_surely_not_read(status, system, began));
}

static void consider(struct seen *seen, const char *name)
{
	struct statfs system;
	struct stat status;
	const char *path;
	int found = -1, descriptor = -1;

	if (seen->own == NULL || strcmp(name, seen->own) != 0)
		found = seen_find_wanted(seen, name, &status, &system);
	if (found < 0)
		return;
	if (may_have_been_read(&status, &system, &seen->began))
		descriptor = local_file_open(found);
	close(found);
	if (descriptor < 0)
		return;
	path = strdup(name);
	if (path != NULL && seen_add_file(seen, FILE_READ, path, &status)) {
		add_ranges(seen, (uint64_t)status.st_size, descriptor);
		files_end(&seen->files);
	}
	close(descriptor);
}

void seen_add_read(struct seen *seen)
{
	const char *name = seen->names.text, *end = name + seen->names.length;
	uint64_t until = clock_used_ns() + SEARCH_NANOSECONDS * seen->patience;

	for (; name < end && clock_used_ns() < until; name += strlen(name) + 1)
		consider(seen, name);
}
