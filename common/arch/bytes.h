/* Copying, filling, comparing and joining without a C library. Async-signal-safe. */
#pragma once

#include "common/arch/arch.h"

#include <stdbool.h>
#include <stdint.h>

/* Copies upward: `to` may overlap `from` if it starts at a lower address. */
static inline void bytes_copy(void *to, const void *from, uint64_t length);
static inline void bytes_fill(void *start, int byte, uint64_t length);

/* Writes a byte without changing it: memory that is read first and written later faults twice. */
static inline void bytes_touch(void *at);

#include ARCH_HEADER(bytes.h)

/*
 * Copies like bytes_copy(), but both ranges may overlap in any way. Upward it copies words: `rep
 * movsb` copies single bytes if it reads what it has just written.
 */
static inline void bytes_move(uint8_t *to, const uint8_t *from, uint64_t length)
{
	if (to <= from) {
		bytes_copy(to, from, length);
		return;
	}
	for (; length >= sizeof(uint64_t); length -= sizeof(uint64_t)) {
		uint64_t word;

		__builtin_memcpy(&word, from + length - sizeof(word), sizeof(word));
		__builtin_memcpy(to + length - sizeof(word), &word, sizeof(word));
	}
	for (; length > 0; length--)
		to[length - 1] = from[length - 1];
}

static inline void bytes_clear(void *start, uint64_t length)
{
	bytes_fill(start, 0, length);
}

static inline bool bytes_equal(const void *one, const void *other, uint64_t length)
{
	const uint8_t *left = one, *right = other;

	while (length > 0 && left[length - 1] == right[length - 1])
		length--;
	return length == 0;
}

/*
 * Appends a string, without its NUL, to a line that has `length` bytes and room for `most`. Bytes
 * that do not fit are omitted. Returns the new length.
 */
static inline uint64_t bytes_append(char *line, uint64_t length, uint64_t most, const char *text)
{
	while (*text != '\0' && length < most)
		line[length++] = *text++;
	return length;
}

/* Appends a number in decimal digits, as bytes_append() appends a string. */
static inline uint64_t bytes_append_number(char *line, uint64_t length, uint64_t most,
					   uint64_t number)
{
	char digits[21];
	unsigned at = sizeof(digits) - 1;

	digits[at] = '\0';
	do
		digits[--at] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	return bytes_append(line, length, most, digits + at);
}
