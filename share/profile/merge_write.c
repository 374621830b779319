/* page-profile merge: what runs on several machines have used, in one profile. */
#include "common/page.h"
#include "loader/files/files_text.h"
#include "loader/files/merge.h"
#include "share/command/command.h"
#include "share/profile/page_profile.h"

#include <string.h>

/* Makes every range one that the first run used last, so that none is too old to be kept. */
static void make_young(struct known_files *files)
{
	files->learned = 1;
	for (size_t i = 0; i < files->range_count; i++)
		files->ranges[i].last = 1;
}

/* At the end nothing is merged in: neighbors that now are of one age become one range. */
static bool merge_all(const struct profile_file *profiles, size_t count, struct known_files *merged,
		      struct error *error)
{
	uint64_t learned = 0;

	*merged = (struct known_files){.learned = 1};
	for (size_t i = 0; i <= count; i++) {
		struct known_files one = {.learned = 1}, both;

		if (!files_make(&both))
			return error_no_memory(error, "to merge profiles");
		if (i < count)
			one = profiles[i].text.profile.files;
		learned += i < count ? one.learned : 0;
		make_young(&one);
		files_merge(merged, &one, &both);
		*merged = both;
		make_young(merged);
	}
	/* All ranges are of one age: what the next runs do not use is dropped after as many runs as
	   ever. */
	merged->learned = learned > 0 ? lower(learned, LEARNED_MAX) : 1;
	for (size_t i = 0; i < merged->range_count; i++)
		merged->ranges[i].last = merged->learned;
	return true;
}

static bool is_same_program(const struct profile_file *profiles, size_t count, struct error *error)
{
	for (size_t i = 1; i < count; i++)
		if (strcmp(profiles[i].text.key, profiles[0].text.key) != 0)
			return error_set(error, EXIT_OURS,
					 "%.128s is of another program than %.128s, or of another "
					 "version of it; merge those of one",
					 profiles[i].name, profiles[0].name);
	return true;
}

static void print(const struct profile_file *first, const struct known_files *files, FILE *out)
{
	const struct profile *profile = &first->text.profile;

	fprintf(out, "page-profile 2\nprogram %s\nkey %s\nruns %zu\n", first->text.program,
		first->text.key, profile->count);
	for (size_t i = 0; i < profile->count; i++)
		fprintf(out, "%lx %lx %c\n", profile->runs[i].first, profile->runs[i].pages,
			profile->runs[i].written ? 'w' : 'r');
	files_print(files, out);
}

bool merge_write(const struct profile_file *profiles, size_t count, const char *output,
		 struct error *error)
{
	struct known_files merged;
	struct output_file file;

	if (!is_same_program(profiles, count, error) || !merge_all(profiles, count, &merged, error))
		return false;
	if (output == NULL) {
		print(&profiles[0], &merged, stdout);
		return true;
	}
	if (!command_output_open(&file, "the profile", output, error))
		return false;
	output_file_begin(&file);
	if (file.stream != NULL)
		print(&profiles[0], &merged, file.stream);
	return output_file_commit(&file, error);
}
