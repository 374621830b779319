/*
 * thread_leave_exec [WAY]: lazy paging ends while another thread is in an execve. The execve waits
 * for a lease on the file, which the ending thread gives up only afterwards. The file is empty.
 * With `lease` a child has the lease. With `ignored` and `default` the action of SIGBUS is set to
 * that during the execve, and a SIGBUS is sent afterwards.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"

#define AT_ONCE 20 /* seconds; /proc/sys/fs/lease-break-time is 45 */

static volatile char untouched[240 * 4096];
static char path[64];
static volatile int asked, error, goes_on;

static void on_asked(int number)
{
	asked = number;
}

static void *starter(void *unused)
{
	char *arguments[] = {path, NULL};
	sigset_t set = SET_OF(SIGIO);

	pthread_sigmask(SIG_BLOCK, &set, NULL);
	execv(path, arguments);
	error = errno;
	while (!goes_on)
		;
	return unused;
}

/* Returns where the child says that it has been asked for its lease. */
static volatile int *lease_of_child(void)
{
	volatile int *child_asked =
	    mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int file;

	if (fork() != 0) {
		while (*child_asked == 0)
			;
		return child_asked;
	}
	file = open(path, O_RDONLY);
	*child_asked = fcntl(file, F_SETLEASE, F_WRLCK) == 0 ? 1 : -1;
	while (*child_asked == 1 && !asked)
		;
	*child_asked = *child_asked == 1 ? 2 : -1;
	usleep(100 * 1000);
	fcntl(file, F_SETLEASE, F_UNLCK);
	_exit(0);
}

/* A wait for SIGSEGV ends lazy paging even where the program's calls stay intercepted. */
static void wait_for_fault(void)
{
	struct timespec none = {0};
	sigset_t set = SET_OF(SIGSEGV);

	check("no signal", sigtimedwait(&set, NULL, &none) == -1 && errno == EAGAIN);
}

static void act_while_child_has_lease(const char *way)
{
	volatile int *child_asked = lease_of_child();
	pthread_t thread;

	if (*child_asked == 1) {
		if (strcmp(way, "default") == 0)
			signal(SIGBUS, SIG_IGN);
		pthread_create(&thread, NULL, starter, NULL);
		while (*child_asked != 2)
			;
		if (strcmp(way, "lease") == 0)
			wait_for_fault();
		else
			signal(SIGBUS, strcmp(way, "ignored") == 0 ? SIG_IGN : SIG_DFL);
		goes_on = 1;
		pthread_join(thread, NULL);
		check("nothing to execute", error == ENOEXEC);
	}
	wait(NULL);
}

int main(int argc, char *argv[])
{
	const char *way = WORD(1, "", "lease", "ignored", "default");
	char folder[] = "/tmp/leave.XXXXXX";
	time_t begin = time(NULL);
	pthread_t thread;
	int file;

	signal(SIGIO, on_asked);
	check("folder", mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/empty", folder);
	close(open(path, O_WRONLY | O_CREAT, 0700));
	if (*way != '\0')
		act_while_child_has_lease(way);
	file = open(path, O_RDONLY);
	if (*way == '\0' && fcntl(file, F_SETLEASE, F_WRLCK) == 0) {
		pthread_create(&thread, NULL, starter, NULL);
		while (!asked)
			;
		close(dup(file));
		fcntl(file, F_SETLEASE, F_UNLCK);
		goes_on = 1;
		pthread_join(thread, NULL);
		check("nothing to execute", error == ENOEXEC);
		check("at once", time(NULL) - begin < AT_ONCE);
	}
	unlink(path);
	rmdir(folder);
	if (strcmp(way, "ignored") == 0 || strcmp(way, "default") == 0)
		raise(SIGBUS);
	return untouched[30000];
}
