/*
 * proc_names WAY: the signals that the program catches, read from /proc by an unusual name of the
 * file. WAY is slashes, dot, up, chdir, openat, root, link, openat2, inside, thread or number.
 */
#include "guest.h"

#define SYS_OPENAT2	437
#define RESOLVE_IN_ROOT 0x10

static volatile char untouched[240 * 4096];
static char text[8192];
static const char *way;

static int is(const char *name)
{
	return strcmp(way, name) == 0;
}

static int by_link(void)
{
	char name[60];
	int file;

	snprintf(name, sizeof(name), "/tmp/guest-link-%d", (int)getpid());
	if (symlink("/proc", name) != 0)
		return -1;
	strcat(name, "/self/status");
	file = open(name, O_RDONLY);
	*strchr(name + 5, '/') = '\0';
	unlink(name);
	return file;
}

static int open_status(void)
{
	const uint64_t how[3] = {O_RDONLY, 0, 0}, inside[3] = {O_RDONLY, 0, RESOLVE_IN_ROOT};
	char name[60];

	if (is("slashes"))
		return open("//proc///self/status", O_RDONLY);
	if (is("dot"))
		return open("/proc/./self/status", O_RDONLY);
	if (is("up"))
		return open("/proc/sys/../self/status", O_RDONLY);
	if (is("chdir"))
		return chdir("/proc") == 0 ? open("self/status", O_RDONLY) : -1;
	if (is("openat"))
		return openat(open("/proc", O_RDONLY | O_DIRECTORY), "self/status", O_RDONLY);
	if (is("root"))
		return openat(open("/", O_RDONLY | O_DIRECTORY), "proc/self/status", O_RDONLY);
	if (is("link"))
		return by_link();
	if (is("openat2"))
		return (int)syscall(SYS_OPENAT2, AT_FDCWD, "/proc/self/status", how, sizeof(how));
	if (is("inside"))
		return chdir("/proc") == 0 ? (int)syscall(SYS_OPENAT2, AT_FDCWD, "/self/status",
							  inside, sizeof(inside))
					   : -1;
	if (is("thread")) {
		snprintf(name, sizeof(name), "/proc/self/task/%d/status", (int)getpid());
		return open(name, O_RDONLY);
	}
	snprintf(name, sizeof(name), "/proc/%d/status", (int)getpid());
	return open(name, O_RDONLY);
}

int main(int argc, char **argv)
{
	const char *line;
	long length;
	int file;

	way = WORD(1, "number", "slashes", "dot", "up", "chdir", "openat", "root", "link",
		   "openat2", "inside", "thread");
	file = open_status();
	if (file < 0) {
		puts("cannot be opened");
		return 0;
	}
	length = read(file, text, sizeof(text) - 1);
	must(length >= 0);
	text[length] = '\0';
	for (line = text; line && (line = strstr(line, "Sig")); line = strchr(line, '\n'))
		if (strncmp(line, "SigCgt", 6) == 0 || strncmp(line, "SigBlk", 6) == 0)
			printf("%.24s\n", line);
	return untouched[100000];
}
