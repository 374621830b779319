#include "loader/profile/local_file.h"

#include "loader/files/read_ahead.h"
#include "loader/profile/walk.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A program has some thousands of names in its memory, with several components each. */
#define STEPS_MAX 100000

/* With more mounts than this, no name is looked up. */
#define BARRED_MAX 65536

/*
 * File systems whose names the kernel finds without waiting for others: on disks, or in memory.
 * File systems of a network or of a process are not listed. The array has no pointers, because they
 * would be relocated at each start.
 */
static const char local_types[][10] = {
    "aufs",   "bcachefs", "btrfs", "cramfs",  "erofs",	 "exfat",    "ext2",  "ext3",	"ext4",
    "f2fs",   "gfs2",	  "hfs",   "hfsplus", "iso9660", "jffs2",    "jfs",   "minix",	"msdos",
    "nilfs2", "ntfs",	  "ntfs3", "overlay", "ramfs",	 "reiserfs", "romfs", "rootfs", "squashfs",
    "tmpfs",  "ubifs",	  "udf",   "vfat",    "xfs",	 "zfs",
};

static bool is_local(const char *type)
{
	for (size_t i = 0; i < sizeof(local_types) / sizeof(local_types[0]); i++)
		if (strcmp(type, local_types[i]) == 0)
			return true;
	return false;
}

static bool is_octal(const char *digits)
{
	return digits[0] >= '0' && digits[0] <= '3' && digits[1] >= '0' && digits[1] <= '7' &&
	       digits[2] >= '0' && digits[2] <= '7';
}

/* Spaces, tabs, newlines and backslashes are written as \040 and so on (mangle() in fs/seq_file.c).
 */
static void unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from != '\0'; to++) {
		if (*from == '\\' && is_octal(from + 1)) {
			*to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + from[3] - '0');
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

/* "ID PARENT DEVICE ROOT POINT OPTIONS [FIELD]... - TYPE SOURCE OPTIONS\n" */
static bool split(char *line, char **point, const char **type)
{
	char *rest = line, *word;

	for (int i = 0; i < 5; i++)
		*point = strsep(&rest, " ");
	while ((word = strsep(&rest, " ")) != NULL && strcmp(word, "-") != 0)
		;
	*type = strsep(&rest, " ");
	if (*point == NULL || *type == NULL)
		return false;
	unescape(*point);
	return true;
}

static int compare(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

static bool add(struct local_mounts *mounts, const char *point)
{
	/* The array is doubled whenever the count is a power of two. */
	if ((mounts->count & (mounts->count - 1)) == 0) {
		size_t room = mounts->count == 0 ? 1 : 2 * mounts->count;
		char **more = NULL;

		if (room <= BARRED_MAX)
			more = realloc(mounts->barred, room * sizeof(*more));
		if (more == NULL)
			return false;
		mounts->barred = more;
	}
	mounts->barred[mounts->count] = strdup(point);
	return mounts->barred[mounts->count] != NULL && ++mounts->count > 0;
}

bool local_mounts_parse(FILE *file, struct local_mounts *mounts)
{
	const char *type;
	char *line = NULL, *point;
	size_t room = 0;
	bool good = true;

	*mounts = (struct local_mounts){.steps = STEPS_MAX};
	while (good && getline(&line, &room, file) > 0)
		good = split(line, &point, &type) && (is_local(type) || add(mounts, point));
	free(line);
	if (good && mounts->count > 0)
		qsort(mounts->barred, mounts->count, sizeof(*mounts->barred), compare);
	return good && !ferror(file);
}

bool local_mounts_read(struct local_mounts *mounts)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	bool good = file != NULL && local_mounts_parse(file, mounts);

	if (file != NULL)
		fclose(file);
	return good;
}

void local_mounts_free(struct local_mounts *mounts)
{
	for (size_t i = 0; i < mounts->count; i++)
		free(mounts->barred[i]);
	free(mounts->barred);
	*mounts = (struct local_mounts){.barred = NULL};
}

bool local_mounts_permit(const struct local_mounts *mounts, const char *path)
{
	return mounts->count == 0 || bsearch(&path, mounts->barred, mounts->count,
					     sizeof(*mounts->barred), compare) == NULL;
}

static bool may_enter(const void *context, const char *path)
{
	return local_mounts_permit(context, path);
}

int local_file_find(struct local_mounts *mounts, const char *path, struct stat *status)
{
	const struct walk_rules rules = {
	    .context = mounts, .may_enter = may_enter, .steps = &mounts->steps};
	int found = walk_open(path, &rules);

	if (found < 0)
		return -1;
	if (fstat(found, status) == 0 && S_ISREG(status->st_mode) && status->st_size > 0)
		return found;
	close(found);
	return -1;
}

/* Opens it by the kernel's link for the descriptor: no name is looked up again. */
int local_file_open(int found)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", found);
	return file_open_unnoticed(AT_FDCWD, link, 0);
}
