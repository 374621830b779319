/*
 * process_wait_results: wait4 and waitid with statuses, siginfo and usage on pages that were never
 * touched, and on none at all.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"

static struct {
	char gap1[5000];
	int status;
	char gap2[5000];
	siginfo_t info;
	char gap3[5000];
	struct rusage usage;
	char gap4[5000];
} fresh[8];
static const int constant[2 * 4096] = {[5000] = 1};
static char pages[32 * 4096];

static pid_t start(int status)
{
	pid_t child = fork();

	if (child == 0) {
		for (int i = 0; i < 32; i++)
			pages[i * 4096]++;
		if (status < 0)
			raise(-status);
		_exit(status);
	}
	return child;
}

static void show(const char *what, long result)
{
	if (result < 0)
		printf("%s: %s\n", what, strerror(errno));
	else
		printf("%s: %s\n", what, result ? "child" : "0");
}

int main(void)
{
	pid_t child = start(11);

	show("no child of that kind", wait4(child, &fresh[0].status, __WCLONE, &fresh[0].usage));
	show("wait4", wait4(child, &fresh[0].status, 0, &fresh[0].usage));
	printf("status %#x, faults %d\n", fresh[0].status, fresh[0].usage.ru_minflt > 0);

	child = start(-SIGTERM);
	show("waitid, left there",
	     syscall(SYS_waitid, P_PID, child, &fresh[1].info, WEXITED | WNOWAIT, &fresh[1].usage));
	show("waitid", syscall(SYS_waitid, P_ALL, 0, &fresh[2].info, WEXITED, &fresh[2].usage));
	for (int i = 1; i < 3; i++)
		printf("signal %d, code %d, status %d, own %d, faults %d\n", fresh[i].info.si_signo,
		       fresh[i].info.si_code, fresh[i].info.si_status,
		       fresh[i].info.si_pid == child, fresh[i].usage.ru_minflt > 0);
	show("no child", waitid(P_ALL, 0, &fresh[3].info, WEXITED));

	child = start(-SIGSTOP);
	show("stopped", waitid(P_PID, (id_t)child, &fresh[4].info, WSTOPPED));
	printf("code %d, status %d\n", fresh[4].info.si_code, fresh[4].info.si_status);
	show("nothing new", wait4(child, &fresh[4].status, WNOHANG, NULL));
	kill(child, SIGKILL);
	show("no pointers", wait4(child, NULL, 0, NULL));

	child = start(3);
	show("wild status", wait4(child, (int *)0x10, 0, NULL));
	show("gone", wait4(child, &fresh[5].status, 0, NULL));
	child = start(4);
	show("constant", syscall(SYS_wait4, child, constant + 5000, 0, NULL));
	show("gone", wait4(child, &fresh[5].status, 0, NULL));
	child = start(5);
	show("wild usage", syscall(SYS_wait4, child, &fresh[6].status, 0, (void *)0x10));
	show("gone", wait4(child, &fresh[5].status, 0, NULL));
	check("usage of children", getrusage(RUSAGE_CHILDREN, &fresh[7].usage) == 0);
	check("faults", fresh[7].usage.ru_minflt > 0);
	printf("%d\n", pages[0]);
	mark();
	return 0;
}
