/*
 * memory_data_end: the last page of .data, where .bss begins. It belongs to the file. In
 * /proc/self/maps it is one mapping with the pages before it, although those were written earlier.
 * After it is given back, it has the file's bytes again.
 *
 * No mark: to look at /proc/self/maps ends lazy paging.
 */
#include "guest.h"

#undef PAGE
#define PAGE  4096UL
#define BYTES (64 * PAGE)

extern char edata[];

static unsigned char values[BYTES] = {[0 ... BYTES - 1] = 0x55};

/* The protection of the mapping there, its file, and whether another address is in it. */
static void tell_mapping(uintptr_t address, uintptr_t other)
{
	unsigned long start, end;
	char line[512], protection[5], path[256];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
		path[0] = '\0';
		if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %255s", &start, &end, protection, path) >=
			3 &&
		    address >= start && address < end)
			printf("%s %s %d\n", protection, path, other >= start && other < end);
	}
	fflush(stdout);
}

/* Does not use stdio, whose state may be on that page. */
static void tell_number(const char *what, unsigned long number)
{
	char text[64];
	int length = snprintf(text, sizeof(text), "%s %lu\n", what, number);

	if (write(1, text, (size_t)length) < 0)
		_exit(1);
}

int main(void)
{
	volatile unsigned char *last = (unsigned char *)(((uintptr_t)edata - 1) & ~(PAGE - 1));
	unsigned long found = 0;

	values[PAGE] = 1;
	values[BYTES - 1] = 1;
	last[0] = last[0];
	tell_mapping((uintptr_t)last, (uintptr_t)values + PAGE);
	madvise((void *)last, PAGE, MADV_DONTNEED);
	for (unsigned long i = 0; i < PAGE; i++)
		found += last[i] == 0x55;
	tell_number("bytes of the file:", found);
	_exit(0);
}
