#include "loader/files/files_text.h"

#include "common/page.h"
#include "loader/files/take.h"

#include <stdlib.h>
#include <string.h>

/*
 * Reads "START LENGTH LAST\n". A range that extends beyond the end of the file is cut there. One
 * that starts there is damaged: no loader writes it, and empty ranges are not allowed.
 */
static bool take_range(char **text, uint64_t size, uint64_t learned, struct file_range *range)
{
	uint64_t least = range->start, length;

	if (!take_number(text, 16, ' ', &range->start) || !take_number(text, 16, ' ', &length) ||
	    !take_number(text, 10, '\n', &range->last) || range->start < least || length == 0 ||
	    range->last == 0 || range->last > learned || range->start >= size ||
	    length > FILE_BYTES_MAX - range->start)
		return false;
	range->end = lower(range->start + length, size);
	return true;
}

static char *take_word(char **text, char end)
{
	char *word = *text, *after = word + strcspn(word, " \n");

	if (after == word || *after != end)
		return NULL;
	*after = '\0';
	*text = after + 1;
	return word;
}

static bool take_role(char **text, enum file_role *role)
{
	if (**text == '\0' || strchr("pimr", **text) == NULL || (*text)[1] != ' ')
		return false;
	*role = (enum file_role) * *text;
	*text += 2;
	return true;
}

/* "ROLE SIZE SECONDS NANOSECONDS RANGES BUILD-ID PATH\n" */
static bool take_file(char **text, struct known_file *file)
{
	char *end;

	if (!take_role(text, &file->role) || !take_number(text, 16, ' ', &file->size) ||
	    !take_number(text, 16, ' ', &file->seconds) ||
	    !take_number(text, 16, ' ', &file->nanoseconds) ||
	    !take_number(text, 16, ' ', &file->count) || file->size > FILE_BYTES_MAX ||
	    file->count == 0)
		return false;
	file->build_id = take_word(text, ' ');
	file->path = *text;
	end = strchr(*text, '\n');
	if (file->build_id == NULL || **text != '/' || end == NULL)
		return false;
	*end = '\0';
	*text = end + 1;
	return true;
}

/* `left` is the number of bytes that the remaining ranges may have together. */
static bool take_ranges(char **text, struct known_file *file, uint64_t learned, uint64_t *left)
{
	uint64_t least = 0, bytes;

	for (size_t i = 0; i < file->count; i++) {
		file->ranges[i].start = least;
		if (!take_range(text, file->size, learned, &file->ranges[i]))
			return false;
		least = file->ranges[i].end;
	}
	bytes = file_range_bytes(file);
	if (bytes > *left)
		return false;
	*left -= bytes;
	return true;
}

/* The files come first, each with its number of ranges; the ranges of all files follow. */
static bool take_files(char **text, struct known_files *files)
{
	struct file_range *next = files->ranges, *end = next + files->range_count;
	uint64_t left = FILE_BYTES_MAX;

	for (size_t i = 0; i < files->count; i++) {
		struct known_file *file = &files->files[i];

		if (!take_file(text, file) || file->count > (size_t)(end - next))
			return false;
		file->ranges = next;
		next += file->count;
	}
	for (size_t i = 0; i < files->count; i++)
		if (!take_ranges(text, &files->files[i], files->learned, &left))
			return false;
	return next == end;
}

bool files_parse(char **text, struct known_files *files)
{
	char *learned = take_line(text, "learned");
	char *count = learned != NULL ? take_line(text, "files") : NULL;
	uint64_t numbers[2];

	*files = (struct known_files){.learned = 0};
	if (count == NULL || !take_number(&learned, 10, '\0', &files->learned) ||
	    !take_number(&count, 10, ' ', &numbers[0]) ||
	    !take_number(&count, 10, '\0', &numbers[1]) || numbers[0] > KNOWN_FILES_MAX ||
	    numbers[1] > KNOWN_RANGES_MAX || files->learned > LEARNED_MAX)
		return false;
	files->count = numbers[0];
	files->range_count = numbers[1];
	files->files = malloc((files->count + 1) * sizeof(*files->files));
	files->ranges = malloc((files->range_count + 1) * sizeof(*files->ranges));
	if (files->files != NULL && files->ranges != NULL && take_files(text, files))
		return true;
	free(files->files);
	free(files->ranges);
	*files = (struct known_files){.learned = 0};
	return false;
}

void files_print(const struct known_files *files, FILE *out)
{
	fprintf(out, "learned %lu\nfiles %zu %zu\n", files->learned, files->count,
		files->range_count);
	for (size_t i = 0; i < files->count; i++) {
		const struct known_file *file = &files->files[i];

		fprintf(out, "%c %lx %lx %lx %zx %s %s\n", file->role, file->size, file->seconds,
			file->nanoseconds, file->count, file->build_id, file->path);
	}
	for (size_t i = 0; i < files->count; i++) {
		const struct known_file *file = &files->files[i];

		for (size_t j = 0; j < file->count; j++)
			fprintf(out, "%lx %lx %lu\n", file->ranges[j].start,
				file->ranges[j].end - file->ranges[j].start, file->ranges[j].last);
	}
}
