/* process_thread_names: the name of a process and of its threads, by prctl and by /proc, on fresh
 * pages. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"

static struct {
	char before[4090];
	char name[16];
	char after[4096];
} names[16];
/* 8 in the second round, which looks into /proc; that ends lazy paging. */
static int round_two;
static const char constant[3 * 4096] = {[4090] = 'a', 'c', 'r', 'o', 's', 's', ' ', 'p', 'a', 'g',
					'e',	      's', ' ', 'a', 'n', 'd', ' ', 'o', 'n'};
static char text[3 * 4096];

static void show(const char *what, int which)
{
	char *name = names[which + round_two].name;
	int file, result = prctl(PR_GET_NAME, name);
	ssize_t length;

	printf("%s: %d, \"%s\"\n", what, result, name);
	if (!round_two)
		return;
	file = open("/proc/thread-self/comm", O_RDONLY);
	memset(text + 4090, 0, 20);
	length = read(file, text + 4090, 20);
	printf("%zd bytes: %s", length, text + 4090);
	close(file);
}

static void *run(void *pointer)
{
	show("thread, at first", 2);
	prctl(PR_SET_NAME, "of a thread");
	show("thread", 3);
	return pointer;
}

static void show_all(void)
{
	pthread_t thread;
	pid_t child;

	show("at first", 0);
	printf("set: %d\n", prctl(PR_SET_NAME, constant + 4090));
	show("set", 1);
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	show("afterwards", 4);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		show("child", 5);
		printf("empty: %d\n", prctl(PR_SET_NAME, names[6 + round_two].name));
		show("empty", 6);
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	check("wild", prctl(PR_SET_NAME, (char *)0x10) == -1 && errno == EFAULT);
	check("wild", prctl(PR_GET_NAME, (char *)0x10) == -1 && errno == EFAULT);
	show("in the end", 7);
}

int main(void)
{
	show_all();
	mark();
	round_two = 8;
	show_all();
	return 0;
}
