/*
 * process_name: prctl gives a process a name from a page never touched and stores it into one; the
 * kernel reads up to sixteen bytes, which may be in two pages.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"

enum { PAGE = 4096 };

static char found[80][PAGE] __attribute__((aligned(4096)));
static char empty[3 * PAGE] __attribute__((aligned(4096)));
static const char names[4][PAGE] __attribute__((aligned(4096))) = {
    [0] = "constant", [1] = "longer than fifteen bytes", [3] = "fifteen bytes.."};
static char data[4 * PAGE] __attribute__((aligned(4096))) = "some data";

/* The second round looks into /proc/self/comm, too, which ends lazy paging. */
static int with_file;

/* The name as the kernel has it, stored across the end of a page, and as /proc has it. */
static void show(const char *what)
{
	static int slot;
	char *name = found[slot] + PAGE - 5, *file = found[slot + 2] + PAGE - 3;
	int descriptor;

	slot += 4;
	prctl(PR_GET_NAME, name);
	printf("%s: \"%s\"\n", what, name);
	if (!with_file)
		return;
	descriptor = open("/proc/self/comm", O_RDONLY);
	printf("%d", (int)read(descriptor, file, 100));
	printf(" %d\n", strncmp(name, file, strlen(name)) == 0);
	close(descriptor);
}

static void show_all(void)
{
	int status = 0;

	prctl(PR_SET_NAME, names[0]);
	show("constant");
	prctl(PR_SET_NAME, names[1]);
	show("cut");
	prctl(PR_SET_NAME, names[3]);
	show("whole");
	prctl(PR_SET_NAME, empty + PAGE);
	show("empty");
	strcpy(data + 2 * PAGE - 4, "across pages");
	prctl(PR_SET_NAME, data + 2 * PAGE - 4);
	show("data");
	prctl(PR_SET_NAME, empty + 2 * PAGE - 8);
	show("empty across pages");
	prctl(PR_SET_NAME, "constant");
	check("EFAULT", prctl(PR_SET_NAME, (char *)16) == -1 && errno == EFAULT);
	check("EFAULT for reading", prctl(PR_GET_NAME, (char *)16) == -1 && errno == EFAULT);
	check("EFAULT for a constant", prctl(PR_GET_NAME, names[2]) == -1 && errno == EFAULT);
	show("as before");
	fflush(stdout);

	pid_t pid = fork();

	if (pid == 0) {
		show("child");
		prctl(PR_SET_NAME, "child");
		show("child");
		exit(0);
	}
	check("waited", waitpid(pid, &status, 0) == pid && status == 0);
	show("parent");
}

int main(void)
{
	show_all();
	mark();
	with_file = 1;
	show_all();
	return 0;
}
