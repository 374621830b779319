/*
 * maps: /proc/self/maps without addresses: length, protection, file offset, inode and base name of
 * each mapping, sorted. The stack's length is left out; it depends on the environment. After entry
 * the all-at-once loader must have left nothing of itself here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 256

static char lines[CAPACITY][300];

static int compare(const void *left, const void *right)
{
	return strcmp(left, right);
}

static void reduce(const char *line, char *reduced, size_t size)
{
	unsigned long start, end, offset, inode;
	char protection[8], path[200] = "";

	if (sscanf(line, "%lx-%lx %7s %lx %*s %lu %199[^\n]", &start, &end, protection, &offset,
		   &inode, path) < 5)
		return;

	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	if (strcmp(name, "[stack]") == 0)
		end = start;
	snprintf(reduced, size, "%-12s %8lx %s offset %lx inode %lu", *name ? name : "anonymous",
		 end - start, protection, offset, inode);
}

int main(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	char line[512];
	size_t count = 0;

	if (!file) {
		perror("/proc/self/maps");
		return 1;
	}
	for (; count < CAPACITY && fgets(line, sizeof(line), file); count++)
		reduce(line, lines[count], sizeof(lines[count]));
	fclose(file);
	qsort(lines, count, sizeof(lines[0]), compare);
	for (size_t i = 0; i < count; i++)
		puts(lines[i]);
}
