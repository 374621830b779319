/* Reading recordings. A file may hold anything, so every word of it is checked. */
#include "bench/replay/recording.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	FILE *file;
	const char *name;
	unsigned long number; /* of the line, from 1 on */
	struct error *error;
	char line[8192]; /* more than the longest path */
};

__attribute__((format(printf, 2, 3))) static bool fail(struct reader *reader, const char *format,
						       ...)
{
	va_list arguments;
	char text[256];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return error_set(reader->error, EXIT_OURS, "%s:%lu: %s", reader->name, reader->number,
			 text);
}

/* The next line, without its end. `wanted` says what is missing when the file ends here. */
static bool next_line(struct reader *reader, const char *wanted)
{
	size_t length;

	reader->number++;
	errno = 0;
	if (fgets(reader->line, sizeof(reader->line), reader->file) == NULL) {
		if (ferror(reader->file))
			return fail(reader, "cannot be read: %s", strerror(errno));
		return fail(reader, "the file ends where %s should be", wanted);
	}
	length = strlen(reader->line);
	if (length > 0 && reader->line[length - 1] == '\n')
		reader->line[length - 1] = '\0';
	else if (!feof(reader->file))
		return fail(reader, "the line is too long, or no text");
	return true;
}

/* The text after "WORD " at the start of the line, or NULL if the line starts otherwise. */
static char *after_word(struct reader *reader, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(reader->line, word, length) != 0 || reader->line[length] != ' ')
		return NULL;
	return reader->line + length + 1;
}

/* A number with a space after it, and nothing that strtoul would skip before it. */
static bool take_number(char **text, int base, uint64_t *number)
{
	char *end;

	if (strspn(*text, base == 10 ? "0123456789" : "0123456789abcdef") != strcspn(*text, " "))
		return false;
	errno = 0;
	*number = strtoul(*text, &end, base);
	if (end == *text || errno != 0)
		return false;
	if (*end == ' ')
		end++;
	*text = end;
	return true;
}

static bool is_one_of(const char *text, const char *const *words, int *which)
{
	for (*which = 0; words[*which] != NULL; (*which)++)
		if (strcmp(text, words[*which]) == 0)
			return true;
	return false;
}

/* "FIRST PAGES KIND"; kinds are numbered from first_kind on, in the order of `words`. */
static bool take_range(struct reader *reader, char *text, const char *const *words,
		       enum range_kind first_kind, struct recording_ranges *ranges)
{
	struct recording_range range;
	uint64_t least = 0;
	int kind;

	if (!take_number(&text, 16, &range.first) || !take_number(&text, 16, &range.pages) ||
	    !is_one_of(text, words, &kind))
		return fail(reader, "expected a first page, a number of pages, and %s or %s",
			    words[0], words[1]);
	if (range.pages == 0 || range.first >= RECORDING_PAGE_NUMBERS ||
	    range.pages > RECORDING_PAGE_NUMBERS - range.first)
		return fail(reader, "there are no such pages");
	if (ranges->count > 0)
		least =
		    ranges->list[ranges->count - 1].first + ranges->list[ranges->count - 1].pages;
	if (range.first < least)
		return fail(reader, "the pages do not come after those of the line before");
	range.kind = first_kind + (unsigned)kind;
	return recording_add_range(ranges, range) || fail(reader, "no memory for the recording");
}

static bool read_runs(struct reader *reader, struct recording *recording)
{
	static const char *const kinds[] = {"w", "r", NULL};
	uint64_t count;
	char *text;

	if (!next_line(reader, "'runs'"))
		return false;
	text = after_word(reader, "runs");
	if (text == NULL || !take_number(&text, 10, &count) || *text != '\0')
		return fail(reader, "expected 'runs' and how many there are");
	for (uint64_t i = 0; i < count; i++)
		if (!next_line(reader, "a run") ||
		    !take_range(reader, reader->line, kinds, RANGE_WRITTEN, &recording->runs))
			return false;
	return true;
}

/* The regions, and the line after them. */
static bool read_regions(struct reader *reader, struct recording *recording)
{
	static const char *const kinds[] = {"bss", "file", NULL};
	uint64_t pages = 0;
	char *text;

	for (;;) {
		if (!next_line(reader, "'touches'"))
			return false;
		text = after_word(reader, "region");
		if (text == NULL)
			return true;
		if (!take_range(reader, text, kinds, RANGE_BSS, &recording->regions))
			return false;
		pages += recording->regions.list[recording->regions.count - 1].pages;
		if (pages > RECORDING_REGION_PAGES_MAX)
			return fail(reader, "the regions are larger than 1 TiB");
	}
}

static bool take_touch(struct reader *reader, struct recorded_touch *touch)
{
	static const char *const ways[] = {"r", "w", "c", NULL};
	char *text = reader->line;
	int how;

	if (!take_number(&text, 16, &touch->page) || !is_one_of(text, ways, &how))
		return fail(reader, "expected a page, and r, w or c");
	touch->how = (enum touch_how)how;
	return touch->page < RECORDING_PAGE_NUMBERS || fail(reader, "there is no such page");
}

/* Space grows with what is there, whatever number the file claims. */
static bool read_touch_lines(struct reader *reader, struct recording *recording, uint64_t count)
{
	size_t space = 0;

	while (recording->touch_count < count) {
		if (recording->touch_count == space) {
			struct recorded_touch *longer;

			space = space == 0 ? 64 : 2 * space;
			longer = realloc(recording->touches, space * sizeof(*longer));
			if (longer == NULL)
				return fail(reader, "no memory for the recording");
			recording->touches = longer;
		}
		if (!next_line(reader, "a touch") ||
		    !take_touch(reader, &recording->touches[recording->touch_count]))
			return false;
		recording->touch_count++;
	}
	return true;
}

/* Reads what follows the line "touches". */
static bool read_touches(struct reader *reader, struct recording *recording)
{
	static const char *const ends[] = {"exit", "retired", NULL};
	char *text = after_word(reader, "touches");
	uint64_t count;
	int end;

	if (text == NULL || !take_number(&text, 10, &count) || !is_one_of(text, ends, &end))
		return fail(reader,
			    "expected a region, or 'touches', their number, and exit or retired");
	recording->complete = end == 0;
	if (!read_touch_lines(reader, recording, count))
		return false;
	reader->number++;
	return fgetc(reader->file) == EOF || fail(reader, "expected the end of the file");
}

/* The name is shown to people, so it must hold nothing that their terminal obeys. */
static bool read_header(struct reader *reader, struct recording *recording)
{
	char *program;

	if (!next_line(reader, "'page-profile 1'"))
		return false;
	if (strcmp(reader->line, "page-profile 1") != 0)
		return fail(reader,
			    "the file is no page profile of version 1, which --record=FILE writes");
	if (!next_line(reader, "'program'"))
		return false;
	program = after_word(reader, "program");
	if (program == NULL)
		return fail(reader, "expected 'program' and its name");
	recording->program = strdup(program);
	if (recording->program == NULL)
		return fail(reader, "no memory for the recording");
	for (char *at = recording->program; *at != '\0'; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
	return next_line(reader, "'key'") &&
	       (after_word(reader, "key") != NULL || fail(reader, "expected 'key' and its value"));
}

/*
 * Sets `written` of each touch: a page that was read first goes by its run, which knows how it was
 * used in the end.
 */
static void find_written(struct recording *recording)
{
	for (size_t i = 0; i < recording->touch_count; i++) {
		struct recorded_touch *touch = &recording->touches[i];
		const struct recording_range *run = recording_find(&recording->runs, touch->page);

		if (touch->how == TOUCH_WRITE || run == NULL)
			touch->written = touch->how != TOUCH_READ;
		else
			touch->written = run->kind == RANGE_WRITTEN;
	}
}

static bool add_regions(struct reader *reader, struct recording *recording)
{
	uint64_t pages = 0;

	if (recording->regions.count > 0)
		return true;
	if (!recording_guess_regions(recording))
		return fail(reader, "no memory for the recording");
	for (size_t i = 0; i < recording->regions.count; i++)
		pages += recording->regions.list[i].pages;
	return pages <= RECORDING_REGION_PAGES_MAX ||
	       fail(reader, "the pages touched are spread over more than 1 TiB");
}

bool recording_read(FILE *file, const char *name, struct recording *recording, struct error *error)
{
	struct reader reader = {.file = file, .name = name, .error = error};

	*recording = (struct recording){0};
	if (read_header(&reader, recording) && read_runs(&reader, recording) &&
	    read_regions(&reader, recording) && read_touches(&reader, recording) &&
	    add_regions(&reader, recording)) {
		find_written(recording);
		return true;
	}
	recording_free(recording);
	return false;
}

void recording_free(struct recording *recording)
{
	free(recording->program);
	free(recording->runs.list);
	free(recording->regions.list);
	free(recording->touches);
	*recording = (struct recording){0};
}
