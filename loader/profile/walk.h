/*
 * Opening a path component by component, with descriptors: the kernel follows no link, mounts
 * nothing by itself, and asks no file system for a name before the caller has agreed. Host code.
 */
#ifndef LOADER_PROFILE_WALK_H
#define LOADER_PROFILE_WALK_H

#include <stdbool.h>
#include <sys/stat.h>

struct walk_rules {
	const void *context;
	/*
	 * Whether this may be entered: a path from the root that has no link in it. Called before
	 * the path is looked up. NULL: everything may be.
	 */
	bool (*may_enter)(const void *context, const char *path);
	bool (*may_follow)(const struct stat *link); /* NULL: every link may be followed */
	unsigned *steps; /* components left for all walks; NULL: any number */
};

/* An O_PATH descriptor of what an absolute path leads to. -1 with errno: EPERM by a rule. */
int walk_open(const char *path, const struct walk_rules *rules);

/* Opens a folder in one call, which fails where a link is on the way. -1 with errno. */
int walk_straight(const char *folder);

#endif
