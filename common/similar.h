/* "Did you mean": the word that somebody wanted, among those that there are. Pure. */
#ifndef COMMON_SIMILAR_H
#define COMMON_SIMILAR_H

#include "common/error.h"

#include <stddef.h>

/* The words are not near each other. */
#define SIMILAR_NOT 255

/*
 * How many letters of the word, whose first `length` bytes count, would have to be added, left out,
 * replaced or swapped with their neighbours to get the other one; capitals count as small letters.
 * SIMILAR_NOT for more than a slip of the fingers.
 */
unsigned similar_distance(const char *word, size_t length, const char *other);

/* The name nearest to the word, the first of several; NULL if none is near. */
const char *similar_among(const char *word, size_t length, const char *const *names, size_t count);

/*
 * Which of the words an option's value is, of which the first `length` bytes count: 0 for the first
 * one. `words` are SIMILAR_WORDS_MAX at most, with a blank between two. -1 with a sentence for
 * none: the word that was meant, or all that there are.
 */
#define SIMILAR_WORDS_MAX 16
int similar_choose(struct error *error, const char *option, const char *value, size_t length,
		   const char *words);

#endif
