/*
 * For linkers. lld and BOLT want names of functions. gold and GNU ld want names of input sections:
 * -ffunction-sections makes one for each function, whose name says more than the function's where
 * gcc or clang know how often a function is called.
 */
#include "common/elf_functions.h"
#include "common/memory_map.h"
#include "common/report.h"
#include "share/order/order.h"

#include <stdlib.h>
#include <string.h>

/* For sections of functions that are called: the part between .text and the name. */
static const char *const kinds[] = {"", ".hot", ".startup", ".exit"};

/* The text that an exporter prints, one section after the other. */
typedef void print_section(FILE *out, const char *kind, const char *name, size_t length);

/* Whether a linker's pattern matches the name literally. */
static bool is_plain(const char *name)
{
	return name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				 "0123456789_.$")] == '\0';
}

static void print_gold(FILE *out, const char *kind, const char *name, size_t length)
{
	fprintf(out, ".text%s.%.*s\n", kind, (int)length, name);
}

static void print_ld(FILE *out, const char *kind, const char *name, size_t length)
{
	fprintf(out, "  *(.text%s.%.*s)\n", kind, (int)length, name);
}

/* The cold part of a function is in the section of unlikely code that has the function's name. */
static void print_name(print_section *print, const char *name, FILE *out)
{
	const char *cold = strstr(name, ".cold");

	if (cold != NULL) {
		print(out, ".unlikely", name, (size_t)(cold - name));
		print(out, ".unlikely", name, strlen(name));
		return;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		print(out, kinds[i], name, strlen(name));
}

/* A name, and the line that it is of. */
struct named {
	const char *name;
	const struct order_line *line;
	bool again; /* an earlier line has it, too, as local functions do */
};

static int by_name(const void *left, const void *right)
{
	const struct named *a = *(struct named *const *)left, *b = *(struct named *const *)right;
	int order = strcmp(a->name, b->name);

	return order != 0 ? order : (a > b) - (a < b);
}

/*
 * All names, in their order; lld warns of those that are there again. *nameless: how many functions
 * have none. NULL without memory.
 */
static struct named *list_names(const struct order_list *list, size_t *count, size_t *nameless)
{
	struct named *names, **sorted;

	*count = 0;
	for (size_t i = 0; i < list->count; i++)
		for (const char *name = list->lines[i].names; name != NULL;
		     name = order_next_name(&list->lines[i], name))
			++*count;
	names = memory_map(*count * sizeof(*names) + 1, MAP_NORESERVE);
	sorted = memory_map(*count * sizeof(struct named *) + 1, MAP_NORESERVE);
	if (names == NULL || sorted == NULL)
		return NULL;
	*count = *nameless = 0;
	for (size_t i = 0; i < list->count; i++)
		for (const char *name = list->lines[i].names; name != NULL;
		     name = order_next_name(&list->lines[i], name)) {
			if (strcmp(name, ELF_NO_NAME) == 0) {
				++*nameless;
				continue;
			}
			sorted[*count] = &names[*count];
			names[(*count)++] = (struct named){name, &list->lines[i], false};
		}
	qsort(sorted, *count, sizeof(struct named *), by_name);
	for (size_t i = 1; i < *count; i++)
		sorted[i]->again = strcmp(sorted[i]->name, sorted[i - 1]->name) == 0;
	return names;
}

/*
 * Functions that are cold themselves come last: the section of that name may as well hold the cold
 * part of a function.
 */
static void print_sections(const struct named *names, size_t count, print_section *print, FILE *out)
{
	for (int pass = 0; pass < 2; pass++)
		for (const struct named *named = names; named < names + count; named++) {
			const char *name = named->name;

			if (named->again || !is_plain(name) ||
			    strncmp(named->line->section, ".text", 5) != 0)
				continue;
			if (pass == 0)
				print_name(print, name, out);
			else if (!named->line->has_cold && strstr(name, ".cold") == NULL)
				print(out, ".unlikely", name, strlen(name));
		}
}

/* mold names the entries of its PLT, which other linkers do not. */
static void print_names(const struct named *names, size_t count, FILE *out)
{
	for (const struct named *named = names; named < names + count; named++)
		if (!named->again && strncmp(named->line->section, ".plt", 4) != 0)
			fprintf(out, "%s\n", named->name);
}

bool order_export(const struct order_list *list, const char *format, FILE *out, struct error *error)
{
	size_t count, nameless;
	const struct named *names = list_names(list, &count, &nameless);

	if (names == NULL)
		return error_no_memory(error, "for %zu names", count);
	if (count == 0 && nameless > 0)
		return error_set(
		    error, EXIT_OURS,
		    "%.256s has addresses without names, of a stripped program; make it "
		    "again with --debug-file=FILE",
		    list->path);
	if (nameless > 0)
		report_warning("%zu of %zu functions have no name, and are left out; make the "
			       "order again with --debug-file=FILE",
			       nameless, list->count);
	if (strcmp(format, "lld") == 0 || strcmp(format, "bolt") == 0) {
		print_names(names, count, out);
	} else if (strcmp(format, "gold") == 0) {
		print_sections(names, count, print_gold, out);
	} else if (strcmp(format, "ld") == 0) {
		fputs(".text : {\n", out);
		print_sections(names, count, print_ld, out);
		fputs("}\n", out);
	} else if (strcmp(format, "mold") == 0 || strcmp(format, "go") == 0) {
		return error_set(error, EXIT_OURS, "%s takes no order of functions%s", format,
				 format[0] == 'm'
				     ? " (rui314/mold#1231); link with lld, gold or GNU ld 2.43"
				     : ": Go's linker has no such option");
	} else {
		return error_set(error, EXIT_OURS,
				 "--format=%.64s is unknown; there are " ORDER_FORMATS, format);
	}
	return true;
}
