/*
 * descriptor_seen: descriptor numbers that the program never opened, looked for in many ways; the
 * argument names one: fstat, stat, readlink, directory, poll, select, fcntl, path, epoll.
 *
 * No mark with userfaultfd: looking at its descriptor ends lazy paging.
 */
#include "guest.h"

#include <dirent.h>
#include <sys/epoll.h>
#include <sys/select.h>

#define FROM	 200
#define TO	 400
#define EPOLL	 150
#define EPOLL_TO 1100

static volatile char untouched[240 * 4096];
static const char *way;

static int is(const char *name)
{
	return strcmp(way, name) == 0;
}

/* Whether a descriptor of that number is open. */
static int look(int fd)
{
	struct pollfd wanted = {.fd = fd, .events = POLLIN};
	struct timeval none = {0, 0};
	char name[40], text[100];
	struct stat status;
	fd_set set;

	if (is("poll"))
		return poll(&wanted, 1, 0) != 1 || wanted.revents != POLLNVAL;
	if (is("select")) {
		FD_ZERO(&set);
		FD_SET(fd, &set);
		return select(TO, &set, NULL, NULL, &none) >= 0;
	}
	if (is("epoll"))
		return epoll_ctl(EPOLL, EPOLL_CTL_ADD, fd, &(struct epoll_event){0}) == 0;
	if (is("fcntl"))
		return fcntl(fd, F_GETFD) >= 0;
	if (is("fstat"))
		return fstat(fd, &status) == 0;
	snprintf(name, sizeof(name), is("path") ? "/dev/fd/%d" : "/proc/self/fd/%d", fd);
	if (is("stat") || is("path"))
		return stat(name, &status) == 0;
	return readlink(name, text, sizeof(text)) >= 0;
}

static void list(void)
{
	DIR *directory = opendir("/dev/fd");
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (atoi(entry->d_name) >= FROM)
			printf("there is %s\n", entry->d_name);
}

int main(int argc, char **argv)
{
	way = WORD(1, "fstat", "stat", "readlink", "directory", "poll", "select", "fcntl", "path",
		   "epoll");
	if (is("epoll"))
		dup2(epoll_create1(0), EPOLL);
	/* Beyond its table, select() says nothing of a number. */
	if (is("select"))
		fcntl(0, F_DUPFD, TO);
	if (is("directory"))
		list();
	/* epoll alone looks at the soft limit, too, where the loader's descriptor is. */
	for (int fd = FROM; !is("directory") && fd < (is("epoll") ? EPOLL_TO : TO); fd++)
		if (look(fd))
			printf("there is %d\n", fd);
	puts("looked");
	mark();
	return untouched[100000];
}
