/*
 * process_attributes: attributes that exec keeps or resets: personality, prctl settings, limits,
 * umask, and the number of threads.
 */
#include "guest.h"

#include <dirent.h>
#include <sys/personality.h>

static int count_threads(void)
{
	DIR *directory = opendir("/proc/self/task");
	const struct dirent *entry;
	int count = 0;

	if (!directory)
		return -1;
	while ((entry = readdir(directory)))
		count += entry->d_name[0] != '.';
	closedir(directory);
	return count;
}

int main(void)
{
	int death_signal = 0, adopts = 0;

	printf("dumpable %d\n", prctl(PR_GET_DUMPABLE));
	prctl(PR_GET_PDEATHSIG, &death_signal);
	printf("parent death signal %d\n", death_signal);
	prctl(PR_GET_CHILD_SUBREAPER, &adopts);
	printf("adopts orphans %d\n", adopts);
	printf("no_new_privs %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	printf("keep capabilities %d\n", prctl(PR_GET_KEEPCAPS));
	printf("timer slack %d\n", prctl(PR_GET_TIMERSLACK));
	printf("transparent huge pages disabled %d\n", prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
	printf("umask %o\n", (unsigned)umask(0));
	for (int i = 0; i < RLIM_NLIMITS; i++) {
		struct rlimit limit;

		if (getrlimit(i, &limit) == 0)
			printf("limit %d: %#lx %#lx\n", i, (unsigned long)limit.rlim_cur,
			       (unsigned long)limit.rlim_max);
	}
	mark();
	printf("personality %#x\n", (unsigned)personality(0xffffffff));
	printf("threads %d\n", count_threads());
}
