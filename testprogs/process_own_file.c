/*
 * process_own_file [again N]: /proc/self/exe, /proc/<pid>/exe and /proc/thread-self/exe name the
 * file that argv[0] names. That holds for every call, with strings on any page. The file can be
 * executed by these names.
 */
#include "guest.h"
#include "machine/old_calls.h"

enum { NAMES = 3 };

static struct {
	char gap0[2 * PAGE], target[2 * PAGE];
	char gap1[2 * PAGE], path[2 * PAGE];
	char gap2[2 * PAGE];
	struct stat found;
	char gap3[2 * PAGE];
	struct stat expected;
	char gap4[2 * PAGE];
	char real[2 * PAGE];
} at[NAMES];
static char *arguments[3 * PAGE / sizeof(char *)];
static const char names[NAMES][PAGE] = {"/proc/self/exe", "", "/proc/thread-self/exe"};

static int is_file(int i)
{
	return at[i].found.st_ino == at[i].expected.st_ino &&
	       at[i].found.st_dev == at[i].expected.st_dev;
}

static void by_link(int i, const char *path)
{
	ssize_t length = readlink(path, at[i].target + PAGE - 9, PAGE);

	check("readlink", length > 0 && strcmp(at[i].target + PAGE - 9, at[i].real) == 0);
	memset(at[i].target, 0, sizeof(at[i].target));
	length = readlinkat(AT_FDCWD, path, at[i].target, 5);
	check("readlinkat, cut",
	      length == 5 && memcmp(at[i].target, at[i].real, 5) == 0 && at[i].target[5] == '\0');
	check("lstat: a link", lstat(path, &at[i].found) == 0 && S_ISLNK(at[i].found.st_mode));
}

static void by_descriptor(const char *what, int i, int descriptor)
{
	memset(&at[i].found, 0, sizeof(at[i].found));
	check(what, descriptor >= 0 && fstat(descriptor, &at[i].found) == 0 && is_file(i));
	close(descriptor);
}

static void by_file(int i, const char *path)
{
	memset(&at[i].found, 0, sizeof(at[i].found));
	check("stat", stat(path, &at[i].found) == 0 && is_file(i));
	check("access", access(path, R_OK | X_OK) == 0);
	check("faccessat", faccessat(AT_FDCWD, path, X_OK, 0) == 0);
	by_descriptor("open", i, open(path, O_RDONLY));
	by_descriptor("openat", i, openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC));
	by_descriptor("SYS_open", i, (int)CALL_OPEN(path, O_RDONLY));
	by_descriptor("open, O_PATH", i, open(path, O_PATH | O_CLOEXEC));
}

int main(int argc, char **argv)
{
	int turn = argc > 2 ? atoi(argv[2]) : 0;

	for (int i = 0; i < NAMES; i++) {
		char *copy = at[i].path + PAGE - 4;

		if (i == 1)
			snprintf(copy, PAGE, "/proc/%d/exe", (int)getpid());
		else
			strcpy(copy, names[i]);
		printf("%s\n", i == 1 ? "by number" : names[i]);
		check("argv[0]", stat(argv[argc > 3 ? 3 : 0], &at[i].expected) == 0 &&
				     realpath(argv[argc > 3 ? 3 : 0], at[i].real) != NULL);
		by_link(i, copy);
		by_file(i, copy);
		if (i != 1)
			by_link(i, names[i]);
		if (i != 1)
			by_file(i, names[i]);
	}
	if (turn == NAMES)
		return 7;
	printf("executed\n");
	fflush(stdout);
	arguments[0] = "another name";
	arguments[1] = "again";
	arguments[2] = turn == 0 ? "1" : turn == 1 ? "2" : "3";
	arguments[3] = argv[argc > 3 ? 3 : 0];
	mark();
	execve(turn == 1 ? at[1].path + PAGE - 4 : names[turn], arguments, environ);
	perror("execve");
	return 1;
}
