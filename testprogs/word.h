/*
 * word.h: for guests whose first words select what they do. WORD is the word that was given, or the
 * first name if none was. A word that is not a name ends the guest with EXIT_USAGE, which
 * tests/tools/compare_runs.c knows: the native run and the loaded one would end alike, and the test
 * would compare nothing.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_USAGE 64 /* EX_USAGE (sysexits.h) */

static inline const char *word_among(const char *word, const char *const *names)
{
	for (int i = 0; names[i] != NULL; i++)
		if (word == NULL || strcmp(word, names[i]) == 0)
			return names[i];
	fprintf(stderr, "unknown word '%s'\n", word);
	exit(EXIT_USAGE);
}

/* The word at INDEX of main's argc and argv. */
#define WORD(index, ...)                                                                           \
	word_among((index) < argc ? argv[index] : NULL, (const char *const[]){__VA_ARGS__, NULL})
