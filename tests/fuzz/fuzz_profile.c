/* What --profile makes of any bytes at all: runs of pages that are sorted, apart and addresses. */
#include "loader/profile/profile_text.h"
#include "tests/fuzz/fuzz.h"

static void check_profile(const struct profile *profile)
{
	uint64_t least = 0;

	for (size_t i = 0; i < profile->count; i++) {
		const struct profile_run *run = &profile->runs[i];

		check(run->pages > 0 && run->first >= least);
		check(run->first < UINT64_C(1) << 52 &&
		      run->pages <= (UINT64_C(1) << 52) - run->first);
		least = run->first + run->pages;
	}
}

static void check_files(const struct known_files *files, const char *text, size_t size)
{
	size_t ranges = 0;

	check(files->count <= KNOWN_FILES_MAX && files->range_count <= KNOWN_RANGES_MAX);
	for (size_t i = 0; i < files->count; i++) {
		const struct known_file *file = &files->files[i];
		uint64_t least = 0;

		check(file->path > text && file->path < text + size && file->path[0] == '/');
		check(file->ranges == files->ranges + ranges);
		check(file->count <= files->range_count - ranges);
		ranges += file->count;
		for (size_t j = 0; j < file->count; j++) {
			const struct file_range *range = &file->ranges[j];

			check(range->start >= least && range->end >= range->start);
			check(range->end <= file->size && range->last <= files->learned);
			least = range->end;
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct profile_text parsed;

	check(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	if (profile_text_parse(text, &parsed) == PROFILE_TEXT_WHOLE) {
		check(parsed.program > text && parsed.program < text + size);
		check(parsed.key > parsed.program && parsed.key < text + size);
		check_profile(&parsed.profile);
		check_files(&parsed.profile.files, text, size);
		free(parsed.profile.files.files);
		free(parsed.profile.files.ranges);
		free(parsed.profile.runs);
	}
	free(text);
	return 0;
}
