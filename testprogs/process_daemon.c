/*
 * process_daemon: fork twice, leave the session, close everything; the daemon, whose parent is
 * gone, goes on with fresh pages, threads and signals, and reports through a pipe.
 */
#include "guest.h"

enum { PAGES = 50 };

static char area[PAGES][PAGE], report[4 * PAGE], line[PAGES][PAGE], served[PAGES][PAGE];
static const char template[3][PAGE] = {[1] = "own session %d, group leader %d, touched %d\n"};
static int ends[3 * PAGE / sizeof(int)], released[3 * PAGE / sizeof(int)], status[3 * PAGE];

static volatile int handled;

static void on_signal(int number)
{
	handled += served[0][number]++ + number;
}

static void *touch(void *pointer)
{
	for (int i = 0; i < PAGES; i++)
		served[i][PAGE - 1] += (char)(i + *(int *)pointer);
	return NULL;
}

/* A thread touches pages, and a handler runs. The sum of what they and the parent have written. */
static int with_thread_and_signal(void)
{
	pthread_t thread;
	int one = 1, sum = 0;

	signal(SIGHUP, on_signal);
	raise(SIGHUP);
	pthread_create(&thread, NULL, touch, &one);
	pthread_join(thread, NULL);
	signal(SIGHUP, SIG_IGN);
	for (int i = 0; i < PAGES; i++)
		sum += served[i][0] + served[i][PAGE - 1];
	return sum;
}

static void work(int first)
{
	for (int i = first; i < PAGES; i += 2)
		area[i][i] = (char)i;
}

static int daemon_main(pid_t leader)
{
	char byte;
	int touched = 0, sum;

	/* Waits until the first child was reaped. */
	while (read(released[0], &byte, 1) > 0)
		;
	while (getppid() == leader)
		usleep(500);
	umask(077);
	if (chdir("/") != 0)
		return 1;
	int null = open("/dev/null", O_RDWR);

	for (int i = 0; i < 3; i++)
		dup2(null, i);
	sum = with_thread_and_signal();
	work(1);
	for (int i = 0; i < PAGES; i++)
		touched += area[i][i] != 0;
	for (int i = 0; i < PAGES; i++)
		dprintf(ends[1], "%d %s\n", i, line[i]);
	dprintf(ends[1], "thread %d, handled %d, own session %d\n", sum, handled,
		getsid(0) != getsid(getppid()));
	dprintf(ends[1], template[1], getsid(0) == leader, getpgrp() == getpid(), touched);
	dprintf(ends[1], "directory %s, parent %d\n", getcwd(report, sizeof(report)),
		getppid() != leader);
	return 0;
}

static int first_child(void)
{
	pid_t leader = setsid();

	close(ends[0]);
	close(released[1]);
	check("a session", leader == getpid());
	served[7][0] = 5;
	fflush(stdout);

	pid_t pid = fork();

	if (pid == 0)
		exit(daemon_main(leader));
	work(2);
	return pid > 0 ? 3 : 4;
}

int main(void)
{
	ssize_t length, total = 0;

	must(pipe(ends) == 0 && pipe(released) == 0);
	pid_t pid = fork();

	if (pid == 0)
		exit(first_child());
	close(ends[1]);
	close(released[0]);
	check("waited", waitpid(pid, &status[PAGE], 0) == pid);
	printf("status %#x\n", (unsigned)status[PAGE]);
	close(released[1]);
	while ((length = read(ends[0], report + PAGE - 1 + total, PAGE)) > 0)
		total += length;
	printf("%s", report + PAGE - 1);
	check("untouched here", area[1][1] == 0 && area[2][2] == 0);
	mark();
}
