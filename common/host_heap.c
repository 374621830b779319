/*
 * The loader's malloc: hands out one static array from start to end and takes nothing back.
 *
 * A loader allocates a few kilobytes and then gives up its whole memory, so there is nothing to
 * reuse. The C library's own malloc would move brk, which has to stay where the kernel put it
 * until the program gets it, and would cost system calls and page faults at every start. What a
 * load needs lies side by side here, on as few pages as possible; the rest is never touched.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Enough for 1170 program headers, their plan, and what libelf and stdio want. */
#define HEAP_BYTES (768 * 1024)

/* In front of each block, so that realloc knows how much to copy; keeps blocks 16-byte aligned. */
union header {
	size_t length;
	max_align_t alignment;
};

/* Behind .bss, so that the small variables there share their pages with initialised data. */
static _Alignas(max_align_t)
    __attribute__((section("host_heap,\"aw\",@nobits#"))) uint8_t heap[HEAP_BYTES];
/* Not 0, so that it is initialised data: a first read and a later write of .bss fault twice. */
static size_t used = sizeof(union header);

void *malloc(size_t length)
{
	size_t bytes = sizeof(union header) + ((length + 15) & ~(size_t)15);
	union header *header;

	if (length > HEAP_BYTES || bytes > HEAP_BYTES - used) {
		errno = ENOMEM;
		return NULL;
	}
	header = (union header *)(heap + used);
	header->length = length;
	used += bytes;
	return header + 1;
}

/* No memory is handed out twice, so it is all still zero. */
void *calloc(size_t count, size_t size)
{
	size_t length;

	if (__builtin_mul_overflow(count, size, &length)) {
		errno = ENOMEM;
		return NULL;
	}
	return malloc(length);
}

void *realloc(void *old, size_t length)
{
	void *new = malloc(length);

	if (old != NULL && new != NULL) {
		size_t old_length = ((union header *)old)[-1].length;

		memcpy(new, old, old_length < length ? old_length : length);
	}
	return new;
}

void free(void *block)
{
	(void)block;
}
