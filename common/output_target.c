#include "common/output_target.h"

#include "common/kernel_abi.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The number of links that the kernel follows at most (MAXSYMLINKS). */
#define LINKS_MAX 40

size_t output_target_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* Writes the path of the folder that contains a file. */
static void write_folder(const char *path, char folder[PATH_MAX])
{
	size_t length = output_target_folder(path);

	snprintf(folder, PATH_MAX, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
}

/* As may_follow_link() and may_create_in_sticky() in fs/namei.c, whatever the system's settings. */
bool output_target_trusted(const char *path, const struct stat *status)
{
	char folder[PATH_MAX];
	struct stat around;

	write_folder(path, folder);
	if (stat(folder, &around) != 0)
		return false;
	if ((around.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH) ||
	    status->st_uid == geteuid() || status->st_uid == around.st_uid)
		return true;
	errno = EACCES;
	return false;
}

/*
 * Descriptors in /proc are links that only the kernel can follow; their targets may have no name
 * (proc(5)).
 */
static bool is_in_proc(const char *path, struct output_target *target)
{
	char folder[PATH_MAX], here[PATH_MAX], own[PATH_MAX];
	struct statfs system;

	write_folder(path, folder);
	if (statfs(folder, &system) != 0 || system.f_type != KERNEL_PROC_MAGIC)
		return false;
	if (realpath(folder, here) != NULL && realpath("/proc/self/fd", own) != NULL &&
	    strcmp(here, own) == 0)
		target->descriptor = (int)strtol(path + output_target_folder(path), NULL, 10);
	else
		target->is_foreign = true;
	return true;
}

/* Reads a link. Returns -1 with errno: ENOENT if it does not exist, EINVAL if it is not a link. */
static ssize_t read_link(const char *path, char text[PATH_MAX])
{
	int link = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC), reason;
	struct stat status;
	ssize_t length = -1;

	if (link < 0)
		return -1;
	if (fstat(link, &status) == 0 && !S_ISLNK(status.st_mode))
		errno = EINVAL;
	else if (output_target_trusted(path, &status))
		length = readlinkat(link, "", text, PATH_MAX - 1);
	reason = errno;
	close(link);
	errno = reason;
	return length;
}

bool output_target_find(const char *name, struct output_target *target)
{
	char text[PATH_MAX];

	target->descriptor = -1;
	target->is_foreign = false;
	if ((size_t)snprintf(target->path, PATH_MAX, "%s", name) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	for (int i = 0; i < LINKS_MAX; i++) {
		size_t folder = output_target_folder(target->path);
		ssize_t length = read_link(target->path, text);

		if (length < 0)
			return errno == EINVAL || errno == ENOENT;
		if (is_in_proc(target->path, target))
			return true;
		if (text[0] == '/')
			folder = 0;
		if (folder + (size_t)length >= PATH_MAX) {
			errno = ENAMETOOLONG;
			return false;
		}
		memcpy(target->path + folder, text, (size_t)length);
		target->path[folder + (size_t)length] = '\0';
	}
	errno = ELOOP;
	return false;
}

bool output_target_same(const char *one, const char *other)
{
	char folders[2][PATH_MAX];
	struct stat about[2];

	write_folder(one, folders[0]);
	write_folder(other, folders[1]);
	return strcmp(one + output_target_folder(one), other + output_target_folder(other)) == 0 &&
	       stat(folders[0], &about[0]) == 0 && stat(folders[1], &about[1]) == 0 &&
	       about[0].st_dev == about[1].st_dev && about[0].st_ino == about[1].st_ino;
}
