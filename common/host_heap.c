/*
 * The loader's malloc: it hands out one static array from start to end, and frees nothing. A loader
 * allocates a few kilobytes and is then unmapped as a whole, so there is nothing to reuse.
 *
 * The C library's own malloc would move brk, which must stay where the kernel put it until the
 * program gets it. It would also cost system calls and page faults at every start. Here everything
 * a load needs is packed on as few pages as possible; the rest of the array is never touched.
 */
#include "common/host_heap.h"
#include "common/memory_map.h"
#include "common/page.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * Enough for fifty program headers. A larger array would count toward RLIMIT_DATA at every start.
 * So memory for 1170 headers, their plan, libelf's symbols and a long profile comes from mmap on
 * demand.
 */
#define HEAP_BYTES	    (32 * 1024)
#define EXTENSION_BYTES_MIN (UINT64_C(2) << 20)

/* A script's list of arguments, at most some megabytes, is copied for each of five scripts. */
#define COPIES_MAX 8

/* The largest block: far more than everything that a program can be given. */
#define LENGTH_MAX (SIZE_MAX / (2 * COPIES_MAX))

/* Precedes each block, so that realloc knows how much to copy. Keeps blocks 16-byte aligned. */
union header {
	size_t length;
	max_align_t alignment;
};

/*
 * The heap directly follows .bss, so that its first blocks are on a page that is in memory already:
 * start.ld.
 */
static _Alignas(16) __attribute__((
    section("host_heap,\"aw\",@progbits" ASSEMBLY_COMMENT))) uint8_t heap[HEAP_BYTES];

/*
 * Static, because malloc() gets no context. Not 0, so that they are in initialized data: .bss that
 * is read first and written later faults twice.
 */
static uint8_t *next = heap;
static uint8_t *end = heap + HEAP_BYTES;

/* The memory that was added last; equal to the array if none has been added. */
static uint8_t *extension = heap;
static bool may_grow_again;

void host_heap_grow_again(void)
{
	may_grow_again = true;
}

/*
 * Called when the array is full: the heap continues in memory from mmap, with room for blocks as
 * large as the requested one. The rest of the array stays unused.
 */
static bool extend(size_t bytes)
{
	size_t length = higher(page_ceil(COPIES_MAX * bytes), EXTENSION_BYTES_MIN);
	void *more = extension == heap || may_grow_again ? memory_map(length, MAP_NORESERVE) : NULL;

	if (more == NULL)
		return false;
	extension = next = more;
	end = next + length;
	return true;
}

void host_heap_extension(uint64_t *extension_start, uint64_t *extension_end)
{
	*extension_start = (uint64_t)extension;
	*extension_end = (uint64_t)(extension == heap ? heap : end);
}

void *malloc(size_t length)
{
	size_t bytes = sizeof(union header) + ((length + 15) & ~(size_t)15);
	union header *header;

	if (length > LENGTH_MAX || (bytes > (size_t)(end - next) && !extend(bytes))) {
		errno = ENOMEM;
		return NULL;
	}
	header = (union header *)next;
	next += bytes;
	header->length = length;
	return header + 1;
}

/* Memory is never handed out twice, so all of it is still zero. */
void *calloc(size_t count, size_t size)
{
	size_t length;

	return malloc(__builtin_mul_overflow(count, size, &length) ? SIZE_MAX : length);
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
