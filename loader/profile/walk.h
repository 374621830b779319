/*
 * Opens a path component by component, with descriptors. The kernel follows no link and mounts
 * nothing automatically, and file systems are asked only for names that the caller has allowed.
 * Host code.
 */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

struct walk_rules {
	const void *context;
	/*
	 * Whether this path may be entered; it is absolute and contains no link. Called before the
	 * path is looked up. NULL: every path may be entered.
	 */
	bool (*may_enter)(const void *context, const char *path);
	bool (*may_follow)(const struct stat *link); /* NULL: every link may be followed */
	unsigned *steps; /* number of components left for all walks; NULL: no limit */
};

/*
 * An O_PATH descriptor of the file at an absolute path. -1 with errno: EPERM if a rule forbids it.
 */
int walk_open(const char *path, const struct walk_rules *rules);

/* Opens a folder in one call, which fails if there is a link on the way. Returns -1 with errno. */
int walk_straight(const char *folder);
