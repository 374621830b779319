/*
 * What --profile makes of any bytes at all: runs of pages that are sorted, apart and addresses, and
 * files whose ranges are read ahead and merged in a bounded number of steps.
 */
#include "common/kernel_text.h"
#include "common/memory_map.h"
#include "loader/files/merge.h"
#include "loader/files/read_ahead.h"
#include "loader/profile/profile_text.h"
#include "loader/profile/runs.h"
#include "tests/fuzz/fuzz.h"

#include <stdarg.h>
#include <sys/syscall.h>

/* A profile takes no more calls of the kernel than that, whatever is in it. */
#define STEPS_MAX 100000

/* How many there were for this input; the real ones are replaced (-Wl,--wrap, tests/tests.mk). */
static unsigned steps;

static void step(void)
{
	check(++steps <= STEPS_MAX);
}

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
ssize_t __wrap_readahead(int descriptor, off_t offset, size_t length);
char *__wrap_kernel_text(const char *path, char *text, size_t size);

/* residency_of(): every byte is in memory, so that all are looked for. */
long __wrap_syscall(long number, ...)
{
	va_list list;
	long arguments[6];

	if (number == SYS_preadv2) {
		step();
		return 1;
	}
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
			      arguments[4], arguments[5]);
}

ssize_t __wrap_readahead(int descriptor, off_t offset, size_t length)
{
	(void)descriptor;
	check(offset >= 0 && length > 0 && (uint64_t)offset + length <= FILE_BYTES_MAX);
	step();
	return 0;
}

/* A machine with 4 TiB of memory. */
char *__wrap_kernel_text(const char *path, char *text, size_t size)
{
	(void)path;
	snprintf(text, size, "MemAvailable: 4294967296 kB\n");
	return text;
}

static void check_profile(const struct profile *profile)
{
	uint64_t least = 0;

	for (size_t i = 0; i < profile->count; i++) {
		const struct profile_run *run = &profile->runs[i];

		check(run->pages > 0 && run->first >= least);
		check(run->first < UINT64_C(1) << 44 &&
		      run->pages <= (UINT64_C(1) << 44) - run->first);
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
		check(file->count > 0 && file->count <= files->range_count - ranges);
		check(file->size <= FILE_BYTES_MAX);
		ranges += file->count;
		for (size_t j = 0; j < file->count; j++) {
			const struct file_range *range = &file->ranges[j];

			check(range->start >= least && range->end > range->start);
			check(range->end <= file->size && range->last <= files->learned);
			least = range->end;
		}
	}
}

/* Each file as if it was the program, which is open already. */
static void drive_read_ahead(const struct known_files *files)
{
	static const struct opened_files opened = {100, 100};

	for (size_t i = 0; i < files->count; i++)
		files->files[i].role = FILE_PROGRAM;
	steps = 0;
	read_ahead(files, &opened, true);
}

/* Into nothing, and into itself: what comes out can be printed and read again. */
static void drive_merge(const struct known_files *files)
{
	static struct known_files merged;
	static const struct known_files none;

	if (merged.files == NULL)
		check(files_make(&merged));
	for (int i = 0; i < 3; i++) {
		merged.count = merged.range_count = 0;
		files_merge(i == 0 ? &none : files, i == 1 ? &none : files, &merged);
		check(merged.range_count <= 2 * files->range_count);
		for (size_t j = 0; j < merged.range_count; j++)
			check(merged.ranges[j].start < merged.ranges[j].end);
	}
}

/* Two mappings that have some of the runs each. */
static void drive_runs(const struct profile *profile)
{
	static const uint64_t ends[] = {0, 0x400, UINT64_C(1) << 36, UINT64_C(1) << 44};

	for (unsigned i = 0; i < 6; i++) {
		uint64_t low = ends[i / 2], high = ends[i / 2 + 1];
		struct profile_run part;
		size_t next = 0;

		for (steps = 0; runs_next(profile, low, high, i % 2 != 0, &next, &part); step()) {
			check(part.pages > 0 && part.first >= low);
			check(part.first + part.pages <= high);
			low = part.first + part.pages;
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
		drive_runs(&parsed.profile);
		drive_read_ahead(&parsed.profile.files);
		drive_merge(&parsed.profile.files);
		free(parsed.profile.files.files);
		free(parsed.profile.files.ranges);
		free(parsed.profile.runs);
	}
	free(text);
	return 0;
}
