/*
 * descriptor_numbers: which numbers new descriptors get, from 240 on, and how many there can be:
 * descriptor_numbers dupfd|dup|open|most. None is missing.
 */
#include "guest.h"

static volatile char untouched[300 * 4096];

static int next(const char *way)
{
	if (strcmp(way, "dupfd") == 0)
		return fcntl(0, F_DUPFD, 240);
	if (strcmp(way, "open") == 0)
		return open("/dev/null", O_RDONLY);
	return dup(0);
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "dup", "dupfd", "open", "most");
	const struct rlimit limit = {300, 300};
	int last = -1, count = 0, fd;

	if (strcmp(way, "most") == 0 && setrlimit(RLIMIT_NOFILE, &limit) != 0)
		return 1;
	while ((fd = next(way)) >= 0 && (strcmp(way, "most") == 0 || fd < 270)) {
		if (fd >= 240 && last >= 0 && fd != last + 1)
			printf("after %d comes %d\n", last, fd);
		last = fd;
		count += fd >= 240;
	}
	printf("%d from 240 on, the last is %d, error %d\n", count, last, fd < 0 ? errno : 0);
	mark();
	return untouched[100000];
}
