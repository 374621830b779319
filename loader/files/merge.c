#include "loader/files/merge.h"

#include "common/memory_map.h"

#include <string.h>

bool files_make(struct known_files *files)
{
	*files = (struct known_files){
	    .files = memory_map(KNOWN_FILES_MAX * sizeof(*files->files), MAP_NORESERVE),
	    .ranges = memory_map(KNOWN_RANGES_MAX * sizeof(*files->ranges), MAP_NORESERVE),
	};
	return files->files != NULL && files->ranges != NULL;
}

bool files_add(struct known_files *files, const struct known_file *file)
{
	if (files->count == KNOWN_FILES_MAX)
		return false;
	files->files[files->count] = *file;
	files->files[files->count].ranges = files->ranges + files->range_count;
	files->files[files->count++].count = 0;
	return true;
}

void files_add_range(struct known_files *files, struct file_range range)
{
	struct known_file *file = &files->files[files->count - 1];
	struct file_range *last = file->count > 0 ? &file->ranges[file->count - 1] : NULL;

	if (last != NULL && range.last == last->last && range.start < last->end + GAP_BYTES) {
		last->end = higher(last->end, range.end);
		return;
	}
	if (range.start >= range.end || files->range_count == KNOWN_RANGES_MAX)
		return;
	files->ranges[files->range_count++] = range;
	file->count++;
}

void files_end(struct known_files *files)
{
	if (files->files[files->count - 1].count == 0)
		files->count--;
}

/*
 * Whether two entries are the same version of the same file. A program may have several paths, as
 * in the folders of several projects: the key of the profile ensures that it is the same.
 */
static bool is_same(const struct known_file *one, const struct known_file *other)
{
	if (one->role == FILE_PROGRAM || one->role == FILE_INTERPRETER)
		return one->role == other->role;
	return one->size == other->size && strcmp(one->path, other->path) == 0;
}

static const struct known_file *find(const struct known_files *files, const struct known_file *file)
{
	for (size_t i = 0; i < files->count; i++)
		if (is_same(&files->files[i], file))
			return &files->files[i];
	return NULL;
}

/* A file's part of an array of ranges, which are sorted and do not overlap. */
struct walk {
	const struct file_range *next, *end;
};

static struct walk walk_of(const struct known_file *file)
{
	if (file == NULL)
		return (struct walk){NULL, NULL};
	return (struct walk){file->ranges, file->ranges + file->count};
}

/* Merges both kinds of ranges in order. Parts of older ranges that newer ones cover are omitted. */
static void merge_ranges(struct walk older, struct walk newer, uint64_t run,
			 struct known_files *result)
{
	uint64_t done = 0;

	while (older.next < older.end || newer.next < newer.end) {
		bool has_newer = newer.next < newer.end;
		struct file_range range;

		if (older.next < older.end &&
		    (older.next->end <= done || run - older.next->last >= KEPT_RUNS)) {
			older.next++;
			continue;
		}
		if (older.next == older.end ||
		    (has_newer && newer.next->start <= higher(older.next->start, done))) {
			range = *newer.next++;
			range.last = run;
		} else {
			range = *older.next;
			range.start = higher(range.start, done);
			if (has_newer && newer.next->start < range.end)
				range.end = newer.next->start;
		}
		files_add_range(result, range);
		done = range.end;
	}
}

/* Merges the old entry of a file and what was seen of it now. One of the two may be NULL. */
static void add_file(const struct known_file *old, const struct known_file *new,
		     struct known_files *result)
{
	if (!files_add(result, new != NULL ? new : old))
		return;
	merge_ranges(walk_of(old), walk_of(new), result->learned, result);
	files_end(result);
}

void files_merge(const struct known_files *known, const struct known_files *seen,
		 struct known_files *result)
{
	result->learned = known->learned + 1;
	for (size_t i = 0; i < seen->count; i++)
		if (find(seen, &seen->files[i]) == &seen->files[i])
			add_file(find(known, &seen->files[i]), &seen->files[i], result);
	for (size_t i = 0; i < known->count; i++)
		if (find(seen, &known->files[i]) == NULL)
			add_file(&known->files[i], NULL, result);
}
