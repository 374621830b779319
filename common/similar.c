#include "common/similar.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A longer word is similar to none, so that the rows below are small. */
#define WORD_BYTES_MAX 64

/* Bytes for all words of an option. */
#define WORDS_BYTES 256

/* One mistake per three letters, and at most three: with more it is another word. */
static unsigned most_slips(size_t length)
{
	return length / 3 < 3 ? (unsigned)(length / 3) : 3;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Optimal string alignment: row i, column j is the distance between the first i letters of `a` and
 * the first j of `b`. Only the last three rows are kept.
 */
static unsigned align(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned rows[3][WORD_BYTES_MAX + 1];

	for (unsigned j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (unsigned i = 1; i <= a_length; i++) {
		unsigned *row = rows[i % 3];
		const unsigned *above = rows[(i - 1) % 3], *top = rows[(i + 1) % 3];

		row[0] = i;
		for (unsigned j = 1; j <= b_length; j++) {
			row[j] = above[j - 1] + !same(a[i - 1], b[j - 1]);
			row[j] = least(row[j], least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
				row[j] = least(row[j], top[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

unsigned similar_distance(const char *word, size_t length, const char *other)
{
	size_t other_length = strnlen(other, WORD_BYTES_MAX + 1);
	unsigned most = most_slips(length), distance;

	if (length > WORD_BYTES_MAX || other_length > WORD_BYTES_MAX ||
	    length > other_length + most || other_length > length + most)
		return SIMILAR_NOT;
	distance = align(word, length, other, other_length);
	return distance <= most ? distance : SIMILAR_NOT;
}

const char *similar_among(const char *word, size_t length, const char *const *names, size_t count)
{
	const char *nearest = NULL;
	unsigned best = SIMILAR_NOT;

	for (size_t i = 0; i < count; i++) {
		unsigned distance = similar_distance(word, length, names[i]);

		if (distance < best) {
			best = distance;
			nearest = names[i];
		}
	}
	return nearest;
}

static void refuse(struct error *error, const char *option, const char *value, size_t length,
		   const char *const *names, size_t count)
{
	const char *meant = similar_among(value, length, names, count);

	if (meant != NULL) {
		error_set(error, EXIT_OURS, "%s=%.64s is unknown; did you mean %s?", option, value,
			  meant);
		return;
	}
	error_set(error, EXIT_OURS, "%s=%.64s is unknown; there %s ", option, value,
		  count == 1 ? "is only" : "are");
	for (size_t i = 0; i < count; i++)
		error_add(error, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", names[i]);
	/* A program has become the value of an option that stood before it without one. */
	if (memchr(value, '/', length) != NULL)
		error_add(error, "; if %.64s is the program, write %s=VALUE before it", value,
			  option);
}

int similar_choose(struct error *error, const char *option, const char *value, size_t length,
		   const char *words)
{
	char text[WORDS_BYTES], *rest = text, *word;
	const char *names[SIMILAR_WORDS_MAX];
	size_t count = 0;

	snprintf(text, sizeof(text), "%s", words + strspn(words, " "));
	while (count < SIMILAR_WORDS_MAX && (word = strsep(&rest, " ")) != NULL)
		names[count++] = word;
	for (size_t i = 0; i < count; i++)
		if (strlen(names[i]) == length && strncmp(names[i], value, length) == 0)
			return (int)i;
	refuse(error, option, value, length, names, count);
	return -1;
}
