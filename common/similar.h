/* "Did you mean": finds the word that the user probably meant. Pure. */
#pragma once

#include "common/error.h"

#include <stddef.h>

/* The words are not similar. */
#define SIMILAR_NOT 255

/*
 * The distance: how many letters of the word would have to be added, removed, replaced or swapped
 * with a neighbor to get the other word. The word has `length` bytes; case is ignored. SIMILAR_NOT
 * if it is more than a typing mistake.
 */
unsigned similar_distance(const char *word, size_t length, const char *other);

/* The name most similar to the word, the first of several; NULL if none is similar. */
const char *similar_among(const char *word, size_t length, const char *const *names, size_t count);

/*
 * The index of an option's value, of `length` bytes, in `words`. There are at most
 * SIMILAR_WORDS_MAX words, with a blank between two. Returns -1 with a sentence if it is none of
 * them: the sentence names the similar word, or all words.
 */
#define SIMILAR_WORDS_MAX 16
int similar_choose(struct error *error, const char *option, const char *value, size_t length,
		   const char *words);
