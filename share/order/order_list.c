#include "share/order/order.h"

#include "common/memory_map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for what comes from a pipe, at first. */
#define PIPE_BYTES 65536

/* A text that the parser cuts up: each piece becomes a string. */
struct reading {
	char *at, *end;
	uint64_t line; /* the number of the one that is read */
	bool is_last;  /* the piece that was read last is the last one of its line */
};

/* The next piece, up to a tab or the end of the line; NULL at the end of the text. */
static char *next_piece(struct reading *reading)
{
	char *piece = reading->at;

	if (piece >= reading->end)
		return NULL;
	while (*reading->at != '\t' && *reading->at != '\n')
		reading->at++;
	reading->is_last = *reading->at == '\n';
	reading->line += reading->is_last;
	*reading->at++ = '\0';
	return piece;
}

/* The last piece of a line that begins with a word; NULL where the line does not. */
static const char *read_word(struct reading *reading, const char *word)
{
	const char *found = next_piece(reading);

	if (found == NULL || strcmp(found, word) != 0 || reading->is_last)
		return NULL;
	found = next_piece(reading);
	return reading->is_last ? found : NULL;
}

static bool read_number(const char *text, int base, uint64_t *number)
{
	char *end;

	if (text == NULL || *text == '\0')
		return false;
	*number = strtoull(text, &end, base);
	return *end == '\0';
}

static bool read_line(struct reading *reading, struct order_line *line)
{
	const char *name;

	if (!read_number(next_piece(reading), 16, &line->start) || reading->is_last ||
	    !read_number(next_piece(reading), 10, &line->size) || reading->is_last)
		return false;
	line->section = next_piece(reading);
	if (line->section == NULL || reading->is_last)
		return false;
	line->file = next_piece(reading);
	if (line->file == NULL || reading->is_last)
		return false;
	line->names = reading->at;
	do
		name = next_piece(reading);
	while (name != NULL && !reading->is_last);
	line->names_end = reading->at;
	return name != NULL;
}

static bool parse(struct reading *reading, struct order_list *list)
{
	uint64_t count;

	list->program = read_word(reading, "program");
	list->build_id = list->program != NULL ? read_word(reading, "build-id") : NULL;
	if (list->build_id == NULL ||
	    !read_number(read_word(reading, "functions"), 10, &list->functions) ||
	    !read_number(read_word(reading, "order"), 10, &count) ||
	    count > (uint64_t)(reading->end - reading->at))
		return false;
	list->lines = memory_map(count * sizeof(*list->lines) + 1, MAP_NORESERVE);
	for (list->count = 0; list->lines != NULL && list->count < count; list->count++) {
		list->lines[list->count].place = list->count;
		if (!read_line(reading, &list->lines[list->count]))
			return false;
	}
	list->end = read_word(reading, "end");
	return list->lines != NULL && list->end != NULL;
}

/*
 * The file in memory, with a newline at its end; NULL with errno. The length of a pipe is known at
 * its end.
 */
static char *read_text(const char *path, uint64_t *length)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	char *text = NULL;
	uint64_t room;
	ssize_t got = 1;

	*length = 0;
	if (file < 0 || fstat(file, &status) != 0)
		return NULL;
	room = S_ISFIFO(status.st_mode) ? PIPE_BYTES : (uint64_t)status.st_size;
	text = malloc(room + 1);
	while (text != NULL && got > 0 && *length < room) {
		got = read(file, text + *length, room - *length);
		*length += got > 0 ? (uint64_t)got : 0;
		if (S_ISFIFO(status.st_mode) && *length == room) {
			room *= 2;
			text = realloc(text, room + 1);
		}
	}
	close(file);
	if (text != NULL && got >= 0 && *length > 0 && text[*length - 1] != '\n')
		text[(*length)++] = '\n';
	return got >= 0 ? text : NULL;
}

bool order_list_read(const char *path, struct order_list *list, struct error *error)
{
	struct reading reading = {.line = 1};
	const char *version;
	uint64_t length;

	*list = (struct order_list){.path = path};
	reading.at = read_text(path, &length);
	if (reading.at == NULL)
		return error_set(error, EXIT_OURS,
				 "%.256s cannot be read: %s; name a file that pagewise run "
				 "--order=FILE has written",
				 path, strerror(errno));
	reading.end = reading.at + length;
	version = read_word(&reading, "page-order");
	if (version == NULL || strcmp(version, "1") != 0)
		return error_set(error, EXIT_OURS,
				 "%.256s is no order file; make one with pagewise run "
				 "--order=FILE PROGRAM",
				 path);
	return parse(&reading, list) ||
	       error_set(error, EXIT_OURS, "%.256s is damaged at line %" PRIu64 "; make it again",
			 path, reading.line);
}

const char *order_next_name(const struct order_line *line, const char *name)
{
	name += strlen(name) + 1;
	return name < line->names_end ? name : NULL;
}

void order_list_write(const struct order_list *list, FILE *out)
{
	fprintf(out,
		"page-order\t1\nprogram\t%s\nbuild-id\t%s\nfunctions\t%" PRIu64 "\norder\t%zu\n",
		list->program, list->build_id, list->functions, list->count);
	for (size_t i = 0; i < list->count; i++) {
		const struct order_line *line = &list->lines[i];

		fprintf(out, "%" PRIx64 "\t%" PRIu64 "\t%s\t%s", line->start, line->size,
			line->section, line->file);
		for (const char *name = line->names; name != NULL;
		     name = order_next_name(line, name))
			fprintf(out, "\t%s", name);
		putc('\n', out);
	}
	fprintf(out, "end\t%s\n", list->end);
}
