/*
 * The maps of a process, column by column. With ACCESS_MAPS=1 in the environment every row of the
 * experiment shows its own on standard error, once, in the first round:
 *
 *	ACCESS_MAPS=1 build/musl-release/bench/access --rounds=1 2>maps
 */
#include "bench/experiments/access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of /proc/self/maps: start-end permissions offset device inode, and mostly a path. */
static void show_line(const char *line)
{
	unsigned long start, end, offset, inode;
	char permissions[8], device[24];
	int path = 0;

	if (sscanf(line, "%lx-%lx %7s %lx %23s %lu %n", &start, &end, permissions, &offset, device,
		   &inode, &path) < 6) {
		fprintf(stderr, "%s\n", line);
		return;
	}
	fprintf(stderr, "%12lx  %12lx  %9lu  %-11s  %8lx  %-6s  %9lu%s%s\n", start, end,
		(end - start) >> 10, permissions, offset, device, inode,
		line[path] != '\0' ? "  " : "", line + path);
}

void access_maps_show(const struct access_case *which)
{
	const char *wanted = getenv("ACCESS_MAPS");
	char line[8192];
	FILE *maps;

	if (wanted == NULL || strcmp(wanted, "1") != 0)
		return;
	fprintf(stderr, "\n%s\n%12s  %12s  %9s  %-11s  %8s  %-6s  %9s  path\n", which->name,
		"start", "end", "size KiB", "permissions", "offset", "device", "inode");
	maps = fopen("/proc/self/maps", "re");
	if (maps == NULL) {
		perror("/proc/self/maps");
		return;
	}
	while (fgets(line, sizeof(line), maps) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		show_line(line);
	}
	fclose(maps);
}
