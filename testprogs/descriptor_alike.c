/*
 * descriptor_alike: a call whose argument is a process ID, with each number that a descriptor of
 * the loader may have.
 */
#include "guest.h"

#include <sys/resource.h>

static volatile char untouched[240 * 4096];

int main(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	for (pid_t id = 200; id < 1200 || (id <= (pid_t)limit.rlim_cur && id < 4200); id++)
		getpgid(id);
	puts("asked");
	mark();
	return untouched[100000];
}
