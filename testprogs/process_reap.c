/*
 * process_reap: a handler of SIGCHLD reaps fifty children. Meanwhile the program first waits by
 * sigsuspend, and then brings in page after page. Statuses and usages are stored on untouched
 * pages.
 */
#include "guest.h"

enum { CHILDREN = 50, PAGES = 4000 };

static int statuses[2 * CHILDREN][PAGE / sizeof(int)];
static struct {
	struct rusage usage;
	char gap[PAGE];
} usages[2 * CHILDREN];
static volatile char area[4 * CHILDREN][PAGE], pages[PAGES][PAGE];
static volatile sig_atomic_t forked, reaped, calls, wrong;

static void on_child(int number, siginfo_t *info, void *context)
{
	int saved = errno, at;

	wrong += number != SIGCHLD || info->si_signo != SIGCHLD;
	while (at = reaped,
	       at < 2 * CHILDREN && wait4(-1, &statuses[at][at], WNOHANG, &usages[at].usage) > 0)
		reaped++;
	calls++;
	errno = saved;
}

/* Brings in some pages, and says whether there were any left. */
static int bring_in(int count)
{
	static int next;

	for (; count > 0 && next < PAGES; count--)
		pages[next++][0] = 1;
	return count == 0;
}

/* The pages that the parent writes to are the child's own: zero in their second byte. */
static void be_child(int which)
{
	int fresh = 0;

	for (int i = 0; i < 4; i++)
		fresh += ++pages[which * 8 + i][1];
	area[which][which] = 1;
	area[2 * which][which] = 1;
	if (which % 5 == 0)
		kill(getpid(), SIGKILL);
	_exit(which + fresh - 4);
}

static void make_children(int pages_each)
{
	for (int i = 0; i < CHILDREN; i++) {
		int which = forked++;
		pid_t pid = fork();

		if (pid == 0)
			be_child(which);
		area[2 * CHILDREN + which][which] = (char)(pid > 0);
		bring_in(pages_each);
	}
}

static void wait_by_sigsuspend(void)
{
	sigset_t blocked = SET_OF(SIGCHLD), before;

	sigprocmask(SIG_BLOCK, &blocked, &before);
	while (reaped < forked)
		sigsuspend(&before);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void wait_with_pages(void)
{
	while (reaped < forked)
		if (!bring_in(1))
			usleep(100);
	bring_in(PAGES);
}

static void report(int first)
{
	int exited = 0, killed = 0, sum = 0, measured = 0, touched = 0;

	for (int i = first; i < first + CHILDREN; i++) {
		exited += WIFEXITED(statuses[i][i]);
		killed += WIFSIGNALED(statuses[i][i]) && WTERMSIG(statuses[i][i]) == SIGKILL;
		sum += WIFEXITED(statuses[i][i]) ? WEXITSTATUS(statuses[i][i]) : 0;
		measured += usages[i].usage.ru_minflt > 0;
	}
	for (int i = 0; i < PAGES; i++)
		touched += pages[i][0] + pages[i][1];
	printf("exited %d, killed %d, sum %d, measured %d, wrong %d, pages %d\n", exited, killed,
	       sum, measured, (int)wrong, touched);
	check("called at least once", calls > 0);
	check("nothing left", wait(NULL) == -1 && errno == ECHILD);
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_child, .sa_flags = SA_SIGINFO | SA_RESTART};

	sigaction(SIGCHLD, &action, NULL);
	make_children(0);
	wait_by_sigsuspend();
	action.sa_flags |= SA_NOCLDSTOP;
	sigaction(SIGCHLD, &action, NULL);
	make_children(20);
	wait_with_pages();
	report(0);
	report(CHILDREN);
	mark();
}
