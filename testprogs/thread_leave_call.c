/*
 * thread_leave_call lock|waitid|tkill|pidfd: lazy paging ends before a call while another thread
 * runs. The call might wait for that thread, or sends it a signal of faults.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"

#define SYS_PIDFD_SEND_SIGNAL 424
#define SYS_PIDFD_OPEN	      434

static volatile char untouched[240 * 4096];
static volatile int id, caught, over;

static void on_signal(int number)
{
	caught += number == SIGSEGV && untouched[100 * 4096] == 0;
}

static void *run(void *unused)
{
	id = (int)syscall(SYS_gettid);
	while (!over)
		untouched[200 * 4096]++;
	return unused;
}

static void lock(void)
{
	struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 10};
	int file = (int)syscall(SYS_memfd_create, "locked", 0);

	check("locked", fcntl(file, F_SETLK, &range) == 0);
	range.l_type = F_WRLCK;
	check("nobody else's", fcntl(file, F_GETLK, &range) == 0 && range.l_type == F_UNLCK);
}

static void wait_for_child(void)
{
	siginfo_t *info = (siginfo_t *)(untouched + 50 * 4096);
	pid_t child = fork();

	if (child == 0)
		_exit(untouched[20 * 4096] + 7);
	check("waited", waitid(P_PID, (id_t)child, info, WEXITED) == 0 && info->si_status == 7);
}

static void send_signal(int by_tkill)
{
	long file = syscall(SYS_PIDFD_OPEN, getpid(), 0);

	signal(SIGSEGV, on_signal);
	check("sent", (by_tkill ? syscall(SYS_tkill, id, SIGSEGV)
				: syscall(SYS_PIDFD_SEND_SIGNAL, file, SIGSEGV, NULL, 0)) == 0);
	while (caught == 0)
		;
	check("caught once", caught == 1);
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "lock", "waitid", "tkill", "pidfd");
	pthread_t thread;

	check("thread", pthread_create(&thread, NULL, run, NULL) == 0);
	while (id == 0)
		;
	if (strcmp(way, "lock") == 0)
		lock();
	else if (strcmp(way, "waitid") == 0)
		wait_for_child();
	else
		send_signal(strcmp(way, "tkill") == 0);
	over = 1;
	pthread_join(thread, NULL);
}
