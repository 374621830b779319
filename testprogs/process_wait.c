/*
 * process_wait: wait4 and waitid store status words, rusage and siginfo on untouched pages, or at
 * addresses that cannot be written. The children exit, are killed, stop and continue.
 */
#include "guest.h"

enum { SLOTS = 14 };

static char memory[SLOTS][8 * PAGE] __attribute__((aligned(4096))), pages[32 * PAGE];
static const int constant[2 * PAGE] = {[5000] = 1};

static int *status(int slot)
{
	return (int *)(memory[slot] + PAGE);
}

/* usage and info begin a little before the end of a page, so that two pages are written. */
static struct rusage *usage(int slot)
{
	return (struct rusage *)(memory[slot] + 4 * PAGE - 24);
}

static siginfo_t *info(int slot)
{
	return (siginfo_t *)(memory[slot] + 6 * PAGE - 16);
}

static int faults(int slot)
{
	return usage(slot)->ru_minflt + usage(slot)->ru_majflt > 0;
}

static pid_t start(int way)
{
	fflush(stdout);
	pid_t pid = fork();

	if (pid == 0) {
		for (int i = 0; i < 32; i++)
			pages[i * PAGE]++;
		if (way < 0)
			raise(-way);
		_exit(way);
	}
	return pid;
}

static void by_wait4(int slot, int way, int options)
{
	pid_t pid = start(way);
	long found = syscall(SYS_wait4, pid, status(slot), options, usage(slot));

	printf("wait4: %d, status %#x, faults %d, system and user time %d\n", found == pid,
	       (unsigned)*status(slot), faults(slot),
	       usage(slot)->ru_utime.tv_sec + usage(slot)->ru_stime.tv_sec < 10);
	if (WIFSTOPPED(*status(slot))) {
		kill(pid, SIGCONT);
		found = syscall(SYS_wait4, pid, status(slot), 0, NULL);
		printf("continued: %d, status %#x\n", found == pid, (unsigned)*status(slot));
	}
}

static void by_waitid(int slot, int way, int options)
{
	pid_t pid = start(way);
	long result = syscall(SYS_waitid, P_PID, pid, info(slot), options | WNOWAIT, usage(slot));

	printf("waitid: %ld, signal %d, code %d, status %d, ID %d, faults %d\n", result,
	       info(slot)->si_signo, info(slot)->si_code, info(slot)->si_status,
	       info(slot)->si_pid == pid, faults(slot));
	if (info(slot)->si_code == CLD_STOPPED)
		kill(pid, SIGKILL);
	result = syscall(SYS_waitid, P_ALL, 0, info(slot + 1), WEXITED, usage(slot + 1));
	printf("reaped: %ld, signal %d, code %d, status %d, ID %d, faults %d\n", result,
	       info(slot + 1)->si_signo, info(slot + 1)->si_code, info(slot + 1)->si_status,
	       info(slot + 1)->si_pid == pid, faults(slot + 1));
}

static void nothing(void)
{
	check("wait4: ECHILD", wait4(-1, status(10), 0, usage(10)) == -1 && errno == ECHILD);
	check("waitid: ECHILD", waitid(P_ALL, 0, info(10), WEXITED) == -1 && errno == ECHILD);
	check("nothing was stored", *status(10) == 0 && info(10)->si_signo == 0);

	pid_t pid = start(-SIGSTOP);

	waitid(P_PID, (id_t)pid, info(11), WSTOPPED | WNOWAIT);
	check("WNOHANG", waitid(P_PID, (id_t)pid, info(10), WEXITED | WNOHANG) == 0);
	check("EFAULT",
	      syscall(SYS_wait4, pid, (int *)16, WUNTRACED, NULL) == -1 && errno == EFAULT);
	kill(pid, SIGKILL);
	check("NULL", waitid(P_PID, (id_t)pid, NULL, WEXITED) == 0);
}

static void by_parts(void)
{
	pid_t pid = start(-SIGSTOP);

	check("no child of that kind",
	      wait4(pid, status(12), __WCLONE, usage(12)) == -1 && errno == ECHILD);
	check("stopped", waitid(P_PID, (id_t)pid, info(12), WSTOPPED) == 0);
	printf("code %d, status %d\n", info(12)->si_code, info(12)->si_status);
	check("nothing new", wait4(pid, status(12), WNOHANG, NULL) == 0);
	kill(pid, SIGKILL);
	check("no pointers", wait4(pid, NULL, 0, NULL) == pid);
}

/* The kernel reaps the child even if it cannot store the status. */
static void into(const char *what, const void *place, void *use)
{
	pid_t pid = start(3);
	long result = syscall(SYS_wait4, pid, place, 0, use);

	printf("%s: %s, ", what, result < 0 ? strerror(errno) : "child");
	result = wait4(pid, status(13), 0, NULL);
	printf("then %s\n", result < 0 ? strerror(errno) : "child");
}

int main(void)
{
	by_wait4(0, 5, 0);
	by_wait4(1, -SIGTERM, 0);
	by_wait4(2, -SIGSTOP, WUNTRACED);
	by_waitid(3, 77, WEXITED);
	by_waitid(5, -SIGUSR1, WEXITED);
	by_waitid(7, -SIGSTOP, WSTOPPED | WEXITED);
	nothing();
	by_parts();
	into("wild status", (void *)16, NULL);
	into("constant", constant + 5000, NULL);
	into("wild usage", status(12), (void *)16);
	check("own pages", pages[0] == 0);
	check("usage of children", getrusage(RUSAGE_CHILDREN, usage(9)) == 0);
	check("their faults", faults(9));
	mark();
}
