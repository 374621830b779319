/* pagewise order: files of --order (docs/order.md), read, merged, compared and written for linkers.
 */
#pragma once

#include "common/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A function that was called. */
struct order_line {
	uint64_t start, size;
	const char *section, *file;
	const char *apart;	       /* order_tell_apart(): as `file`, or empty */
	const char *names, *names_end; /* one after the other, each with its NUL */
	unsigned run;		       /* of several: which file it is from */
	uint64_t place;		       /* in that file, from 0 */
	bool known;		       /* to the program of order_keep_known() */
	bool has_cold;		       /* and that has a cold part of it */
};

struct order_list {
	const char *path; /* of the file, as it was given */
	const char *program, *build_id, *end;
	uint64_t functions; /* that the program has */
	struct order_line *lines;
	size_t count;
};

/* order_list.c: reads a file. */
bool order_list_read(const char *path, struct order_list *list, struct error *error);

/* order_list.c: writes a file of this form. */
void order_list_write(const struct order_list *list, FILE *out);

/* order_list.c: the name after this one, which starts as line->names; NULL after the last one. */
const char *order_next_name(const struct order_line *line, const char *name);

/*
 * order_apart.c: which lines of different lists are one function: those with the same first name
 * and the same `apart`. That is the source file only where one list has several functions of this
 * name. Linkers do not agree on the others' source file: a hidden symbol becomes local in some, and
 * an object without debug information has no file in others.
 */
bool order_tell_apart(struct order_list *lists, size_t count, struct error *error);

/*
 * order_merge.c: merges several lists into one. Functions in all lists are sorted by their mean
 * place, and the others follow. Functions of the same build are matched by address, others by name.
 */
bool order_merge(struct order_list *lists, size_t count, struct order_list *merged,
		 struct error *error);

/* order_compare.c: prints which functions are in one of two lists alone, and how alike they are. */
bool order_compare(struct order_list lists[2], FILE *out, struct error *error);

/*
 * order_program.c: leaves in the list what the program, another build perhaps, has by the same
 * name, or by one that differs only in what compilers add (.constprop.0, .llvm.123, a hash of
 * Rust's). Names become the program's. Warns how many functions it has no more.
 */
bool order_keep_known(struct order_list *list, const char *program, struct error *error);

/* order_program.c: a name without what compilers add: how many bytes of it count. */
size_t order_stem(const char *name);

/* order_export.c: writes the list for a linker. `format` is a word of ORDER_FORMATS. */
#define ORDER_FORMATS "lld gold ld bolt"
bool order_export(const struct order_list *list, const char *format, FILE *out,
		  struct error *error);

/* order_show.c: prints what putting the functions side by side would change. */
void order_show(const struct order_list *list, FILE *out);

/* order_recipe.c: prints how a linker or a build system is given an order file. */
#define ORDER_RECIPES "lld gold ld bolt rust zig cmake meson"
bool order_recipe(const char *what, FILE *out, struct error *error);
