/*
 * process_fifty_children: fifty children, which a handler of SIGCHLD waits for while the program
 * brings in pages; the handler writes to pages that nobody touched before.
 */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"

#define PAGE	 4096
#define CHILDREN 50

static struct {
	char before[5000];
	int status;
	char after[5000];
} found[CHILDREN];
static unsigned char pages[4000 * PAGE], childs[CHILDREN][4 * PAGE];
static volatile int reaped;

static void on_child(int number)
{
	int saved = errno;

	(void)number;
	while (reaped < CHILDREN && waitpid(-1, &found[reaped].status, WNOHANG) > 0)
		reaped++;
	errno = saved;
}

static int run(int which)
{
	int sum = 0;

	for (int i = 0; i < 4; i++)
		sum += ++childs[which][i * PAGE];
	return which + sum - 4;
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_child, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
	long sum = 0, page = 0;

	sigaction(SIGCHLD, &action, NULL);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		if (child == 0)
			_exit(run(i));
		for (int j = 0; j < 20; j++)
			pages[page++ * PAGE] = 1;
	}
	while (reaped < CHILDREN) {
		if (page < 4000)
			pages[page++ * PAGE] = 1;
		else
			usleep(100);
	}
	while (page < 4000)
		pages[page++ * PAGE] = 1;
	for (int i = 0; i < CHILDREN; i++)
		sum += WIFEXITED(found[i].status) ? WEXITSTATUS(found[i].status) : 1000;
	printf("statuses %ld\n", sum);
	for (page = 0; page < 4000; page++)
		sum += pages[page * PAGE];
	for (int i = 0; i < CHILDREN; i++)
		sum += childs[i][0];
	printf("sum %ld\n", sum);
	mark();
	return 0;
}
