/* page-profile show: what a profile holds, as a table or as a picture. */
#include "common/page.h"
#include "common/printable.h"
#include "common/report.h"
#include "share/profile/page_profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of the picture, in pixels. */
#define STRIP_WIDTH  800
#define STRIP_HEIGHT 18
#define STRIP_STEP   40
#define MARGIN	     20

/* Files that the picture has, the largest shares of a profile. */
#define STRIPS_MAX 40

static const char *role_word(enum file_role role)
{
	switch (role) {
	case FILE_PROGRAM:
		return "program";
	case FILE_INTERPRETER:
		return "interpreter";
	case FILE_MAPPED:
		return "mapped";
	default:
		return "read";
	}
}

static uint64_t kib(uint64_t bytes)
{
	return bytes / 1024 + (bytes % 1024 != 0);
}

static uint64_t size_of_all(const struct known_files *files)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < files->count; i++)
		if (!checked_add(bytes, files->files[i].size, &bytes))
			return UINT64_MAX;
	return bytes;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole == 0 ? 0 : 100 * (double)part / (double)whole;
}

void show_print(const struct profile_file *profile, FILE *out)
{
	const struct known_files *files = &profile->text.profile.files;
	uint64_t bytes = all_bytes(files), size = size_of_all(files);
	char path[4096];

	fprintf(out, "program  %s\n", printable_line(profile->text.program, path, sizeof(path)));
	fprintf(out, "key      %s\n", printable_line(profile->text.key, path, sizeof(path)));
	fprintf(out, "pages    %zu run%s\nlearned  from %" PRIu64 " run%s\n",
		profile->text.profile.count, plural(profile->text.profile.count), files->learned,
		plural(files->learned));
	fprintf(out,
		"files    %zu, %zu range%s, %" PRIu64 " of %" PRIu64 " KiB (%.1f %%)\n\n"
		"       KiB      of KiB       %%  ranges  by           file\n",
		files->count, files->range_count, plural(files->range_count), kib(bytes), kib(size),
		percent(bytes, size));
	for (size_t i = 0; i < files->count; i++) {
		const struct known_file *file = &files->files[i];
		uint64_t part = file_range_bytes(file);

		fprintf(out, "%10" PRIu64 "  %10" PRIu64 "  %6.1f  %6zu  %-11s  %s\n", kib(part),
			kib(file->size), percent(part, file->size), file->count,
			role_word(file->role), printable_line(file->path, path, sizeof(path)));
	}
}

/* Text of an SVG file. */
static void write_escaped(const char *text, FILE *out)
{
	char line[4096];

	for (const char *at = printable_line(text, line, sizeof(line)); *at != '\0'; at++) {
		if (*at == '&' || *at == '<' || *at == '>')
			fprintf(out, "&#%d;", *at);
		else
			putc(*at, out);
	}
}

/* A range's color says when it is read ahead: from yellow, first, to dark blue. */
static void write_range(const struct known_file *file, const struct file_range *range, double when,
			int top, FILE *out)
{
	double scale = STRIP_WIDTH / (double)file->size;
	double start = (double)range->start * scale;
	double width = (double)(range->end - range->start) * scale;

	fprintf(out,
		"<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" "
		"fill=\"hsl(%.0f,80%%,%.0f%%)\"/>\n",
		MARGIN + start, top, width < 0.5 ? 0.5 : width, STRIP_HEIGHT, 50 + 190 * when,
		55 - 25 * when);
}

static void write_strip(const struct known_files *files, const struct known_file *file, int top,
			FILE *out)
{
	fprintf(out, "<text x=\"%d\" y=\"%d\">", MARGIN, top - 4);
	write_escaped(file->path, out);
	fprintf(out, ": %" PRIu64 " of %" PRIu64 " KiB</text>\n", kib(file_range_bytes(file)),
		kib(file->size));
	fprintf(
	    out,
	    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n",
	    MARGIN, top, STRIP_WIDTH, STRIP_HEIGHT);
	for (size_t i = 0; i < file->count && file->size > 0; i++)
		write_range(file, &file->ranges[i],
			    (double)(&file->ranges[i] - files->ranges) / (double)files->range_count,
			    top, out);
}

/* How many bytes a file needs to be among those of the picture. */
static uint64_t least_bytes(const struct known_files *files)
{
	uint64_t least = 1;
	size_t count = files->count;

	while (count > STRIPS_MAX) {
		least *= 2;
		count = 0;
		for (size_t i = 0; i < files->count; i++)
			count += file_range_bytes(&files->files[i]) >= least;
	}
	return least;
}

void show_plot(const struct profile_file *profile, FILE *out)
{
	const struct known_files *files = &profile->text.profile.files;
	uint64_t least = least_bytes(files);
	int strips = 0, top = MARGIN + STRIP_STEP;

	for (size_t i = 0; i < files->count; i++)
		strips += file_range_bytes(&files->files[i]) >= least;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"font-family=\"sans-serif\" font-size=\"12\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"%d\">",
		STRIP_WIDTH + 2 * MARGIN, (strips + 1) * STRIP_STEP + MARGIN, MARGIN, MARGIN);
	write_escaped(profile->text.program, out);
	fprintf(out, ": what is read ahead, from first (yellow) to last (blue)</text>\n");
	for (size_t i = 0; i < files->count; i++) {
		if (file_range_bytes(&files->files[i]) < least)
			continue;
		write_strip(files, &files->files[i], top, out);
		top += STRIP_STEP;
	}
	fprintf(out, "</svg>\n");
}
