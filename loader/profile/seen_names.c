/*
 * Files that a program only reads leave no mapping. But who opens a file by its name has that name
 * in memory, and most interpreters keep it: Python's modules, Perl's %INC, a path that was
 * configured. So the memory without a file is searched for absolute paths. A path counts if the
 * file is there, is in the page cache, and its time of access does not say that nobody read it.
 */
#include "loader/profile/seen.h"

#include "common/page.h"
#include "common/pagemap.h"
#include "loader/profile/files/merge.h"
#include "loader/profile/files/read_ahead.h"
#include "loader/profile/profile_key.h"
#include "loader/profile/profile_place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

/* Memory is searched up to this. */
#define SEARCHED_BYTES (UINT64_C(64) << 20)

/* Longer files are only taken if their time of access says that this run has read them. */
#define SURE_BYTES (UINT64_C(1) << 20)

/* Of one file no more than that. */
#define FILE_MOST_BYTES (UINT64_C(16) << 20)

/* Names that were looked at already, by their hashes. */
#define NAMES_MAX 16384

#define CHUNK_BYTES (64 * 1024)

struct search {
	struct seen *seen;
	uint64_t searched;
	uint64_t *hashes; /* NAMES_MAX, 0 where there is none yet */
	size_t names;
	/* What has been copied: the end of one chunk may be the beginning of a name. */
	char bytes[PROFILE_PATH_LENGTH + CHUNK_BYTES];
	size_t kept;
	uint64_t next; /* the address after what has been copied */
};

/* What this file system would have done to the time of access, had the file been read. */
static bool was_surely_not_read(const struct stat *status, const struct statfs *system,
				const struct timespec *began)
{
	uint64_t flags = (uint64_t)system->f_flags;
	time_t access = status->st_atim.tv_sec;

	if ((flags & ST_NOATIME) != 0)
		return false;
	if ((flags & ST_RELATIME) == 0)
		return true;
	/* relatime: a read moves it on where it is no later than a change, or a day old. */
	return access < status->st_mtim.tv_sec || access < status->st_ctim.tv_sec ||
	       access + 24 * 60 * 60 < began->tv_sec;
}

static bool was_surely_read(const struct stat *status, const struct timespec *began)
{
	/* The kernel's clock for files moves in steps of up to 10 ms. */
	int64_t since = (status->st_atim.tv_sec - began->tv_sec) * 1000 +
			(status->st_atim.tv_nsec - began->tv_nsec) / 1000000;

	return since >= -10;
}

/* Of each block that is in memory the program may have read all. */
static void add_ranges(struct seen *seen, uint64_t size, int descriptor)
{
	uint64_t most = size < FILE_MOST_BYTES ? size : FILE_MOST_BYTES;

	for (uint64_t at = 0; at < most; at += GAP_BYTES) {
		uint64_t end = at + GAP_BYTES < size ? at + GAP_BYTES : size;
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
	int found = seen_find_wanted(seen, name, &status, &system), descriptor = -1;

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

/* Whether a name has not been seen before. */
static bool is_new(struct search *search, const char *name, size_t length)
{
	uint64_t hash = profile_hash(HASH_START, name, length) | 1;
	size_t slot;

	for (slot = hash % NAMES_MAX; search->hashes[slot] != 0; slot = (slot + 1) % NAMES_MAX)
		if (search->hashes[slot] == hash)
			return false;
	if (search->names == NAMES_MAX / 2)
		return false;
	search->names++;
	search->hashes[slot] = hash;
	return true;
}

static bool is_of_name(char byte)
{
	return byte > ' ' && byte < 0x7f && strchr("\"'`<>|*?;\\", byte) == NULL;
}

/* A name with at least one folder: "/a/b". */
static void take_name(struct search *search, char *name, size_t length)
{
	char after = name[length];

	if (length < 4 || length >= PROFILE_PATH_LENGTH || name[1] == '/' ||
	    memchr(name + 1, '/', length - 1) == NULL || !is_new(search, name, length))
		return;
	name[length] = '\0';
	consider(search->seen, name);
	name[length] = after;
}

/* Names end before the end of the bytes; what may go on in the next chunk is kept for that. */
static void search_bytes(struct search *search, size_t length)
{
	char *bytes = search->bytes, *end = bytes + length, *slash = bytes;

	search->kept = 0;
	while ((slash = memchr(slash, '/', (size_t)(end - slash))) != NULL) {
		char *after = slash + 1;

		while (after < end && is_of_name(*after))
			after++;
		if (after == end && (size_t)(end - slash) < PROFILE_PATH_LENGTH) {
			search->kept = (size_t)(end - slash);
			memmove(bytes, slash, search->kept);
			return;
		}
		if (slash == bytes || !is_of_name(slash[-1]))
			take_name(search, slash, (size_t)(after - slash));
		slash = after;
	}
}

static void search_page(uint64_t address, bool of_file, void *context)
{
	struct search *search = context;
	struct iovec local, remote = {(void *)address, PAGE_BYTES};

	if (of_file || search->searched >= SEARCHED_BYTES)
		return;
	if (search->next != address)
		search->kept = 0;
	local = (struct iovec){search->bytes + search->kept, PAGE_BYTES};
	if (process_vm_readv(search->seen->holder, &local, 1, &remote, 1, 0) != PAGE_BYTES) {
		search->kept = 0;
		return;
	}
	search->next = address + PAGE_BYTES;
	search->searched += PAGE_BYTES;
	search_bytes(search, search->kept + PAGE_BYTES);
}

void seen_add_read(struct seen *seen)
{
	struct search *search = calloc(1, sizeof(*search));

	if (search == NULL)
		return;
	search->seen = seen;
	search->hashes = calloc(NAMES_MAX, sizeof(*search->hashes));
	if (search->hashes == NULL)
		return;
	for (size_t i = 0; i < seen->count; i++) {
		const struct seen_mapping *mapping = &seen->mappings[i];

		if (mapping->writable && mapping->path[0] != '[')
			pagemap_for_each(seen->pagemap, mapping->start, mapping->end, search_page,
					 search);
	}
}
