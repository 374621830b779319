/*
 * memory_smaps [KEY]: what /proc/self/smaps says of 9 MiB of .bss under that key: VmFlags, which
 * tell what has been done to the mapping, or how much of it is in memory; that it is zero; and,
 * without KEY, that it is one mapping, whose size tells nothing: a neighbour may have joined it.
 *
 * No mark: all that it is about is in /proc.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BYTES (9UL << 20)

static const unsigned char array[BYTES] __attribute__((section(".bss.array"), aligned(4096)));

int main(int argc, char **argv)
{
	const char *key = argc > 1 ? argv[1] : "VmFlags";
	unsigned long start, end;
	FILE *smaps = fopen("/proc/self/smaps", "r");
	char line[512];
	int inside = 0;

	while (smaps != NULL && fgets(line, sizeof(line), smaps) != NULL) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2) {
			inside = (uintptr_t)array >= start && (uintptr_t)array < end;
			if (inside && argc == 1)
				printf("%s\n", (uintptr_t)array + BYTES <= end ? "whole" : "cut");
		} else if (inside && strncmp(line, key, strlen(key)) == 0) {
			printf("%s", line);
		}
	}
	for (unsigned long i = 0; i < BYTES; i++)
		if (array[i] != 0)
			printf("not zero: %lu\n", i);
	return 0;
}
