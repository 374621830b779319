/* The rows of options.def, for parsing and printing. */
#pragma once

#include <getopt.h>
#include <stdbool.h>

enum option_id {
#define OPTION(name, ...) OPTION_##name,
#include "loader/cli/options.def"
	OPTION_COUNT
};

enum option_takes {
	NOTHING = no_argument,
	A_VALUE = required_argument,
	PERHAPS = optional_argument,
};

enum option_group { RUNNING, WATCHING };

enum option_loaders { ALL, LAZY, EAGER };

struct option_row {
	char name[16];
	char letter; /* 0: none */
	unsigned char takes, group;
	unsigned char loaders;
};

extern struct option_row option_rows[OPTION_COUNT];

/* The texts of a row are strings; FILES and ANYTHING may replace the words. */
enum option_text { OPTION_VALUE, OPTION_WORDS, OPTION_HELP, OPTION_TEXTS };

const char *option_text(enum option_id id, enum option_text which);

/* Whether a loader, lazy or not, has this option. */
bool option_is_for(enum option_id id, bool is_lazy);

/*
 * getopt_long returns a letter or, for a long option, its number plus this. No letter is this
 * large: musl treats an unknown letter as a Unicode character.
 */
#define OPTION_LONG 0x110000

/* The tables that getopt_long needs; the letters start with "+:". */
struct option_getopt {
	struct option known[OPTION_COUNT + 1];
	char letters[OPTION_COUNT + 3];
};

void option_prepare_getopt(struct option_getopt *getopt);

/* The option for a value that getopt_long returned. */
enum option_id option_found(int value);
