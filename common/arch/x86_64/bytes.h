/*
 * Copying, filling and joining without a C library: `rep movsb` and `rep stosb` are short, and fast
 * on every processor of the last ten years. Async-signal-safe.
 */
#ifndef ARCH_X86_64_BYTES_H
#define ARCH_X86_64_BYTES_H

#include <stdint.h>

static inline void bytes_copy(void *to, const void *from, uint64_t length)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(length) : : "memory");
}

static inline void bytes_fill(void *start, int byte, uint64_t length)
{
	__asm__ volatile("rep stosb" : "+D"(start), "+c"(length) : "a"(byte) : "memory");
}

static inline void bytes_clear(void *start, uint64_t length)
{
	bytes_fill(start, 0, length);
}

/* Writes a byte without changing it: memory that is read first, and written then, faults twice. */
static inline void bytes_touch(void *at)
{
	__asm__ volatile("orb	$0, %0" : "+m"(*(uint8_t *)at));
}

/*
 * Adds a string, without its NUL, to a line of `length` bytes that has room for `most`; what does
 * not fit is left out. Returns how long the line is then.
 */
static inline uint64_t bytes_append(char *line, uint64_t length, uint64_t most, const char *text)
{
	while (*text != '\0' && length < most)
		line[length++] = *text++;
	return length;
}

#endif
