/*
 * call_files: calls with paths in constants, in data and across untouched pages, and with
 * structures and buffers on untouched pages. They work in a directory of their own under /tmp.
 */
#include "guest.h"
#include "machine/old_calls.h"
#include "show.h"

#include <dirent.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/statfs.h>

static char area[512 * PAGE] __attribute__((aligned(PAGE)));
/* Strings that reach across the ends of pages. */
static struct {
	char before[PAGE - 8], text[PAGE + 8];
} directory __attribute__((aligned(PAGE))) = {.text = "/tmp/call_files.XXXXXX"};
static const struct {
	char before[PAGE - 2], one[PAGE + 1], two[PAGE - 5], three[PAGE + 6];
} constants __attribute__((aligned(PAGE))) = {.one = "one", .two = "two", .three = "three"};
static const char *const one = constants.one, *const two = constants.two;
static const char *const three = constants.three;
static const char payload[PAGE + 10] = "some bytes";
static const struct timespec times[2] = {{1000, 0}, {2000, 0}};
static const struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 4};

/* Names only: their number and the sum of their bytes, in any order. */
static void list(void)
{
	char *buffer = area + 20 * PAGE - 17;
	int file = open(".", O_RDONLY | O_DIRECTORY), entries = 0, sum = 0;
	long length;

	while ((length = syscall(SYS_getdents64, file, buffer, 20000)) > 0)
		for (long at = 0; at < length;) {
			unsigned short size;

			memcpy(&size, buffer + at + 16, sizeof(size));
			entries++;
			for (const char *name = buffer + at + 19; *name; name++)
				sum += *name;
			at += size;
		}
	close(file);
	printf("%d entries, %d\n", entries, sum);
}

static void stat_all(void)
{
	struct stat *status = (struct stat *)(area + 100 * PAGE - 48);
	char *more = area + 110 * PAGE - 44; /* struct statx */
	struct statfs *system = (struct statfs *)(area + 120 * PAGE - 24);

	show("stat", CALL_STAT(one, status));
	printf("%ld bytes, mode %o, %ld\n", (long)status->st_size, status->st_mode,
	       (long)status->st_mtime);
	show("lstat", CALL_LSTAT(two, area + 130 * PAGE - 48));
	printf("mode %o\n", ((struct stat *)(area + 130 * PAGE - 48))->st_mode & S_IFMT);
	show("statx", syscall(SYS_statx, AT_FDCWD, one, 0, 0x7ff, more));
	printf("%ld bytes\n", *(long *)(more + 40));
	show("statfs", syscall(SYS_statfs, one, system));
	printf("%d\n", system->f_bsize != 0);
	show("nothing", CALL_STAT(area + 140 * PAGE - 3, area + 150 * PAGE - 3));
}

int main(void)
{
	char *path = area + 200 * PAGE - 4, *link = area + 210 * PAGE - 2;
	char *where = area + 220 * PAGE - 3, *long_path = area + 230 * PAGE - 2000;
	int file;

	umask(022);
	if (!mkdtemp(directory.text) || chdir(directory.text) != 0)
		return 1;
	file = open(one, O_RDWR | O_CREAT | O_EXCL, 0640);
	show("write", write(file, payload, sizeof(payload)));
	show("lock", fcntl(file, F_SETLK, &lock));
	show("symlink", symlink(three, two));
	show("readlink", readlink(two, link, 5000));
	printf("%s\n", link);
	show("utimensat", utimensat(AT_FDCWD, one, times, 0));
	stat_all();
	show("getcwd", syscall(SYS_getcwd, where, 5000) > 10);
	printf("%d\n", strcmp(where, directory.text));
	strcpy(path, "a_name");
	show("rename", rename(one, path));
	show("link", linkat(AT_FDCWD, path, AT_FDCWD, three, 0));
	show("access", access(two, R_OK));
	show("truncate", truncate(two, 5));
	show("pread", pread(file, area + 240 * PAGE - 2, 100, 0));
	printf("%s\n", area + 240 * PAGE - 2);
	show("mkdir", mkdir(one, 0755));
	list();
	memset(long_path, '/', PATH_MAX - 2);
	long_path[PATH_MAX - 2] = '.';
	show("long", open(long_path, O_RDONLY) >= 0);
	long_path[PATH_MAX - 1] = '.';
	show("too long", open(long_path, O_RDONLY));
	show("rmdir", rmdir(one));
	show("unlink", unlink(two) + unlink(three) + unlink(path));
	list();
	show("rmdir", rmdir(directory.text));
	mark();
}
