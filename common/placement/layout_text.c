/* A layout as text, written and read. */
#include "common/memory_map.h"
#include "common/placement/layout.h"
#include "common/placement/strategy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char layout_letter(enum layout_state state)
{
	static const char letters[LAYOUT_STATES] = {
	    [LAYOUT_HIDDEN] = '?',
	    [LAYOUT_NONE] = 'N',
	    [LAYOUT_FILE] = 'F',
	    [LAYOUT_SWAPPED] = 'S',
	};

	return letters[state];
}

void layout_text_end(struct layout_text *text)
{
	if (text->repeats == 1)
		fprintf(text->file, "%c\n", text->letter);
	else if (text->repeats > 1)
		fprintf(text->file, "%c %" PRIu64 "\n", text->letter, text->repeats);
	text->repeats = 0;
}

void layout_text_mapping(const struct layout_mapping *mapping, void *context)
{
	struct layout_text *text = context;

	layout_text_end(text);
	fprintf(text->file, "vma:%" PRIx64 " %" PRIx64 ":%" PRIu64 "\n", mapping->start,
		mapping->end, (mapping->end - mapping->start) / PAGE_BYTES);
}

void layout_text_page(const struct layout_page *page, void *context)
{
	struct layout_text *text = context;
	char letter = layout_letter(page->state);

	if (letter != text->letter || !text->runs)
		layout_text_end(text);
	text->letter = letter;
	if (letter == '\0')
		fprintf(text->file, "%" PRIu64 "\n", page->frame);
	else
		text->repeats++;
}

/* ---- reading ---- */

struct parsing {
	struct frame_record *records;
	uint64_t count, most;
	uint64_t page, end; /* numbers of the next page and of the end, for the mapping that is
			       being read */
	uint64_t first;	    /* address of the first mapping */
};

static bool begin_mapping(struct parsing *parsing, const char *line)
{
	uint64_t start, end, count;
	int used = 0;

	if (sscanf(line, "vma:%" SCNx64 " %" SCNx64 ":%" SCNu64 "%n", &start, &end, &count, &used) <
		3 ||
	    line[used] != '\n' || page_offset(start | end) != 0 || start >= end ||
	    (end - start) / PAGE_BYTES != count || start / PAGE_BYTES < parsing->end ||
	    parsing->page != parsing->end)
		return false;
	if (parsing->end == 0)
		parsing->first = start;
	parsing->page = start / PAGE_BYTES;
	parsing->end = end / PAGE_BYTES;
	return true;
}

/* Reads one line. Returns false if it does not belong to a layout, or if its mapping is full. */
static bool read_line(struct parsing *parsing, const char *line)
{
	uint64_t number = 1;
	char *end = (char *)line + 1;

	if (strncmp(line, "vma:", 4) == 0)
		return begin_mapping(parsing, line);
	if (line[0] >= '0' && line[0] <= '9' && parsing->count < parsing->most)
		parsing->records[parsing->count++] =
		    (struct frame_record){parsing->page, strtoull(line, &end, 10)};
	else if (line[0] == '\0' || strchr("?NFS", line[0]) == NULL)
		return false;
	else if (line[1] == ' ')
		number = strtoull(line + 2, &end, 10);
	if (*end != '\n' || number > parsing->end - parsing->page)
		return false;
	parsing->page += number;
	return true;
}

bool layout_text_read(const char *path, struct frame_record **records, uint64_t *count,
		      uint64_t *first, struct error *error)
{
	struct parsing parsing = {.count = 0};
	struct stat status = {.st_size = 0};
	FILE *file;
	unsigned long number = 0;
	bool good = true;
	char line[128];

	/* Calls stat(2) before it opens the file: opening a FIFO would wait for a writer. */
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return error_set(error, EXIT_OURS,
				 "the layout %.256s is not a regular file: name one", path);
	file = fopen(path, "re");
	if (file == NULL)
		return error_set(error, EXIT_OURS, "the layout %.256s cannot be read: %s; %s", path,
				 strerror(errno), error_file_remedy(errno));
	/* The shortest line of a frame has two bytes. */
	parsing.most = (uint64_t)status.st_size / 2 + 1;
	parsing.records = memory_map(parsing.most * sizeof(*parsing.records), MAP_NORESERVE);
	while (parsing.records != NULL && good && fgets(line, sizeof(line), file) != NULL) {
		good = read_line(&parsing, line);
		number++;
	}
	fclose(file);
	if (parsing.records == NULL)
		return error_no_memory(error, "for the layout %.128s", path);
	if (!good || parsing.end == 0 || parsing.page != parsing.end)
		return error_set(error, EXIT_OURS,
				 "%.256s is no layout, or is cut off: line %lu; write it again "
				 "(--layout=FILE, page-layout)",
				 path, number);
	*records = parsing.records;
	*count = parsing.count;
	*first = parsing.first;
	return true;
}
