/*
 * memory_smaps [KEY]: prints the lines of /proc/self/smaps under that key for 9 MiB of .bss, and
 * whether the array is zero. KEY may be VmFlags, which show what was done to the mapping, or a line
 * that shows how much is in memory. Without KEY it prints that there is one mapping, but not its
 * size: the kernel may have merged a neighbor into it.
 *
 * No mark: everything that it tests is in /proc.
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
}
