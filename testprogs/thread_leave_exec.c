/*
 * thread_leave_exec: lazy paging ends while another thread is in an execve. The execve waits for a
 * lease on the file, which the ending thread gives up only afterwards. The file is empty.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"

#define AT_ONCE 20 /* seconds; /proc/sys/fs/lease-break-time is 45 */

static volatile char untouched[240 * 4096];
static char path[64];
static volatile int asked, error;

static void on_asked(int number)
{
	asked = number;
}

static void *starter(void *unused)
{
	char *arguments[] = {path, NULL};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGIO);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	execv(path, arguments);
	error = errno;
	return unused;
}

int main(void)
{
	char folder[] = "/tmp/leave.XXXXXX";
	time_t begin = time(NULL);
	pthread_t thread;
	int file;

	signal(SIGIO, on_asked);
	check("folder", mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/empty", folder);
	close(open(path, O_WRONLY | O_CREAT, 0700));
	file = open(path, O_RDONLY);
	if (fcntl(file, F_SETLEASE, F_WRLCK) == 0) {
		pthread_create(&thread, NULL, starter, NULL);
		while (!asked)
			;
		close(dup(file));
		fcntl(file, F_SETLEASE, F_UNLCK);
		pthread_join(thread, NULL);
		check("nothing to execute", error == ENOEXEC);
		check("at once", time(NULL) - begin < AT_ONCE);
	}
	unlink(path);
	rmdir(folder);
	return untouched[30000];
}
