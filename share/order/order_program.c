#include "common/elf_functions.h"
#include "common/memory_map.h"
#include "common/report.h"
#include "share/order/order.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The names that a program has, sorted; `used`: by a line of the list. */
struct known_name {
	const char *name;
	size_t stem;
	bool used;
};

struct known {
	struct known_name *names;
	size_t count;
	char *text, *end; /* room for the names of lines */
};

/*
 * Suffixes that compilers add to the name of a function that they change or derive from another
 * one. A cold part is a separate function.
 */
static const char *const additions[] = {".constprop.", ".isra.",     ".part.",
					".llvm.",      ".lto_priv.", "__anon_"};

/* Rust's older names end in 17h, a hash of 16 digits that each compiler and crate changes, and E.
 */
#define HASH_BYTES 20

size_t order_stem(const char *name)
{
	size_t length = strlen(name), start;

	for (size_t i = 0; i < sizeof(additions) / sizeof(additions[0]); i++) {
		const char *found = strstr(name + (name[0] != '\0'), additions[i]);

		if (found != NULL && (size_t)(found - name) < length)
			length = (size_t)(found - name);
	}
	start = length > HASH_BYTES ? length - HASH_BYTES : 0;
	return start > 0 && memcmp(name + start, "17h", 3) == 0 && name[length - 1] == 'E' &&
		       strspn(name + start + 3, "0123456789abcdef") == 16
		   ? start
		   : length;
}

static int compare_stems(const char *a, size_t a_length, const char *b, size_t b_length)
{
	int order = memcmp(a, b, a_length < b_length ? a_length : b_length);

	return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int by_stem(const void *left, const void *right)
{
	const struct known_name *a = left, *b = right;
	int order = compare_stems(a->name, a->stem, b->name, b->stem);

	return order != 0 ? order : strcmp(a->name, b->name);
}

static bool read_names(const char *program, struct known *known, struct error *error)
{
	int file = open(program, O_RDONLY | O_CLOEXEC);
	struct elf_functions functions;
	size_t bytes = 0;
	bool good;

	if (file < 0)
		return error_set(error, EXIT_OURS,
				 "%.256s cannot be read: %s; name the program to link", program,
				 strerror(errno));
	good = elf_functions_read(file, &functions);
	close(file);
	if (!good)
		return error_set(error, EXIT_OURS,
				 "%.256s has no .symtab to look names up in; name the program "
				 "before it is stripped",
				 program);
	known->names = memory_map(functions.count * sizeof(*known->names), MAP_NORESERVE);
	if (known->names == NULL)
		return error_no_memory(error, "for %zu names", functions.count);
	for (known->count = 0; known->count < functions.count; known->count++) {
		const char *name = functions.functions[known->count].name;

		known->names[known->count] = (struct known_name){name, order_stem(name), false};
		bytes += strlen(name) + 1;
	}
	qsort(known->names, known->count, sizeof(*known->names), by_stem);
	known->text = memory_map(bytes, MAP_NORESERVE);
	known->end = known->text;
	return known->text != NULL || error_no_memory(error, "for names");
}

/* The first name with this stem, or known->count. */
static size_t find_stem(const struct known *known, const char *name, size_t stem)
{
	size_t low = 0, high = known->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct known_name *at = &known->names[middle];

		if (compare_stems(at->name, at->stem, name, stem) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds names of the program with the stem of this name: the name itself, or (`exact` false) all.
 * Each name is used once, so there is room. Whether there was one. */
static bool add_names(struct known *known, const char *name, bool exact)
{
	size_t stem = order_stem(name);
	bool any = false;

	for (size_t i = find_stem(known, name, stem); i < known->count; i++) {
		struct known_name *at = &known->names[i];

		if (compare_stems(at->name, at->stem, name, stem) != 0)
			break;
		if (exact && strcmp(at->name, name) != 0)
			continue;
		any = true;
		if (!at->used)
			known->end = stpcpy(known->end, at->name) + 1;
		at->used = true;
	}
	return any;
}

/* Exact names first: one that another build has replaced may be the exact name of a later line. */
static void keep_names(struct known *known, struct order_line *line, bool exact)
{
	const char *start = known->end, *name = line->names;

	for (; name != NULL; name = order_next_name(line, name))
		line->known |= add_names(known, name, exact);
	if (!line->known)
		return;
	line->names = start;
	line->names_end = known->end;
}

static void note_cold(const struct known *known, struct order_line *line)
{
	char cold[1024];
	size_t length = strlen(line->names);

	if (length + sizeof(".cold") > sizeof(cold))
		return;
	strcpy(stpcpy(cold, line->names), ".cold");
	for (size_t i = find_stem(known, cold, order_stem(cold)); i < known->count; i++) {
		int order = strcmp(known->names[i].name, cold);

		line->has_cold |= order == 0;
		if (strncmp(known->names[i].name, line->names, length) != 0)
			break;
	}
}

bool order_keep_known(struct order_list *list, const char *program, struct error *error)
{
	struct known known;
	size_t kept = 0, gone = 0;

	if (!read_names(program, &known, error))
		return false;
	for (size_t i = 0; i < list->count; i++)
		keep_names(&known, &list->lines[i], true);
	for (size_t i = 0; i < list->count; i++) {
		struct order_line *line = &list->lines[i];

		if (!line->known)
			keep_names(&known, line, false);
		gone += !line->known;
		/* Lines of one name, as local functions have it, have become one. */
		if (!line->known || line->names == line->names_end)
			continue;
		note_cold(&known, line);
		list->lines[kept++] = *line;
	}
	if (gone > 0)
		report_warning("%zu of %zu functions are not in %s, and are left out", gone,
			       list->count, program);
	list->count = kept;
	return true;
}
