/*
 * For linkers. lld and BOLT want names of functions. gold and GNU ld want names of input sections:
 * -ffunction-sections makes one for each function, whose name says more than the function's where
 * gcc or clang know how often a function is called.
 */
#include "share/order/order.h"

#include <string.h>

/* Of sections with functions that are called: what stands between .text and the name. */
static const char *const kinds[] = {"", ".hot", ".startup", ".exit"};

/* What an exporter prints, one section after the other. */
typedef void print_section(FILE *out, const char *kind, const char *name, size_t length);

/* Whether a linker's pattern takes the name as it is. */
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

/*
 * Functions that are cold themselves come last: the section of that name may as well hold the cold
 * part of a function.
 */
static void print_sections(const struct order_list *list, print_section *print, FILE *out)
{
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < list->count; i++) {
			const struct order_line *line = &list->lines[i];
			const char *name = line->names;

			if (strncmp(line->section, ".text", 5) != 0)
				continue;
			for (; name != NULL; name = order_next_name(line, name))
				if (!is_plain(name))
					continue;
				else if (pass == 0)
					print_name(print, name, out);
				else if (!line->has_cold && strstr(name, ".cold") == NULL)
					print(out, ".unlikely", name, strlen(name));
		}
}

static void print_names(const struct order_list *list, FILE *out)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct order_line *line = &list->lines[i];

		for (const char *name = line->names; name != NULL;
		     name = order_next_name(line, name))
			fprintf(out, "%s\n", name);
	}
}

bool order_export(const struct order_list *list, const char *format, FILE *out, struct error *error)
{
	if (strcmp(format, "lld") == 0 || strcmp(format, "bolt") == 0) {
		print_names(list, out);
	} else if (strcmp(format, "gold") == 0) {
		print_sections(list, print_gold, out);
	} else if (strcmp(format, "ld") == 0) {
		fputs(".text : {\n", out);
		print_sections(list, print_ld, out);
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
