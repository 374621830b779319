/*
 * The loaders' options as a table, for their man pages and for completion: a line for each row of
 * options.def, tabs between its columns, - where one is empty. Runs while the loaders are built.
 *
 * name, letter, what it takes (=, or [= where it may be left out), loaders, what the value is
 * called, what it may be (words, or / for a file), help
 */
#include "loader/cli/policies.h"
#include "loader/resident/pager/engine.h"

#include <stdio.h>
#include <string.h>

#define NOTHING ""
#define A_VALUE "="
#define PERHAPS "[="

#define ALL   "all"
#define LAZY  "lazy"
#define EAGER "eager"

static void print_column(const char *text, char end)
{
	text += strspn(text, " ");
	printf("%s%c", *text != '\0' ? text : "-", end);
}

/* An identifier has underscores where the option has hyphens. */
static void print_name(const char *name)
{
	for (; *name != '\0'; name++)
		putchar(*name == '_' ? '-' : *name);
	putchar('\t');
}

int main(void)
{
#define OPTION(name, letter, takes, value, words, loaders, group, sets, help)                      \
	print_name(#name);                                                                         \
	print_column((char[]){letter, '\0'}, '\t');                                                \
	print_column(takes, '\t');                                                                 \
	print_column(loaders, '\t');                                                               \
	print_column(value, '\t');                                                                 \
	print_column(words, '\t');                                                                 \
	print_column(help, '\n');
#include "loader/cli/options.def"
	return fclose(stdout) == 0 ? 0 : 1;
}
