/* A layout as text, written and read. */
#include "common/page.h"
#include "common/placement/layout.h"
#include "common/placement/strategy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
	uint64_t page, end; /* of the mapping that is being read: the next page's number */
	uint64_t first;
	bool has_first;
};

static bool add_record(struct parsing *parsing, uint64_t frame)
{
	if (parsing->count == parsing->most) {
		uint64_t most = parsing->most == 0 ? 512 : 2 * parsing->most;
		size_t bytes = sizeof(struct frame_record);
		void *more = parsing->most == 0 ? mmap(NULL, most * bytes, PROT_READ | PROT_WRITE,
						       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
						: mremap(parsing->records, parsing->most * bytes,
							 most * bytes, MREMAP_MAYMOVE);

		if (more == MAP_FAILED)
			return false;
		parsing->records = more;
		parsing->most = most;
	}
	parsing->records[parsing->count++] = (struct frame_record){parsing->page, frame};
	return true;
}

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
	if (!parsing->has_first)
		parsing->first = start;
	parsing->has_first = true;
	parsing->page = start / PAGE_BYTES;
	parsing->end = end / PAGE_BYTES;
	return true;
}

/* One line: false if it is none of a layout, or its mapping is full. */
static bool read_line(struct parsing *parsing, const char *line, bool *no_memory)
{
	uint64_t number = 1;
	char *end = NULL;

	if (strncmp(line, "vma:", 4) == 0)
		return begin_mapping(parsing, line);
	if (line[0] >= '0' && line[0] <= '9') {
		number = strtoull(line, &end, 10);
		*no_memory = !add_record(parsing, number);
		number = 1;
	} else if (line[0] == '\0' || strchr("?NFS", line[0]) == NULL) {
		return false;
	} else if (line[1] == ' ') {
		number = strtoull(line + 2, &end, 10);
	}
	if (*(end != NULL ? end : line + 1) != '\n' || number > parsing->end - parsing->page)
		return false;
	parsing->page += number;
	return true;
}

bool layout_text_read(const char *path, struct frame_record **records, uint64_t *count,
		      uint64_t *first, struct error *error)
{
	struct parsing parsing = {.count = 0};
	struct stat status;
	FILE *file;
	unsigned long number = 0;
	bool no_memory = false, good = true;
	char line[128];

	/* The file is looked at before it is opened, which would wait for the writer of a FIFO. */
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return error_set(error, EXIT_OURS,
				 "the layout %.256s is not a regular file: name one", path);
	file = fopen(path, "re");
	if (file == NULL)
		return error_set(error, EXIT_OURS,
				 "the layout %.256s cannot be read: %s; name another "
				 "file",
				 path, strerror(errno));
	while (good && !no_memory && fgets(line, sizeof(line), file) != NULL) {
		good = read_line(&parsing, line, &no_memory);
		number++;
	}
	fclose(file);
	if (no_memory)
		return error_no_memory(error, "for the layout %.128s", path);
	if (!good || !parsing.has_first || parsing.page != parsing.end)
		return error_set(error, EXIT_OURS,
				 "%.256s is no layout, or is cut off: line %lu; write it again "
				 "(--layout=FILE, page-layout)",
				 path, number);
	*records = parsing.records;
	*count = parsing.count;
	*first = parsing.first;
	return true;
}
