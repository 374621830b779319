/*
 * Compilers turn copies of structures and some loops into calls of memcpy and memset, also in
 * freestanding code (GCC manual, "Language Standards"; clang does the same).
 */
#include "common/arch/bytes.h"

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t length);
void *memset(void *start, int byte, size_t length);

void *memcpy(void *restrict to, const void *restrict from, size_t length)
{
	bytes_copy(to, from, length);
	return to;
}

void *memset(void *start, int byte, size_t length)
{
	bytes_fill(start, byte, length);
	return start;
}
