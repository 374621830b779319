/*
 * process_name: prctl reads names of a process and its threads from untouched pages and stores them
 * there. The kernel reads up to sixteen bytes, which may be on two pages.
 */
#include "guest.h"

static char found[170][PAGE] __attribute__((aligned(4096)));
static char empty[3 * PAGE] __attribute__((aligned(4096)));
static const char names[4][PAGE] __attribute__((aligned(4096))) = {
    [0] = "constant", [1] = "longer than fifteen bytes", [3] = "fifteen bytes.."};
static const char across[3 * PAGE] __attribute__((aligned(4096))) = {
    [PAGE - 6] = 'a', 'c', 'r', 'o', 's', 's', ' ', 'a', 'n', 'd', ' ', 'o', 'n'};
static char data[4 * PAGE] __attribute__((aligned(4096))) = "some data";

/* The second round looks into /proc, too, which ends lazy paging. */
static int with_file;

/* The name as /proc has it. */
static void show_file(const char *path, char *place, const char *name)
{
	int descriptor = open(path, O_RDONLY), length = (int)read(descriptor, place, 100);

	printf("%s: %d bytes, %d\n", path, length, strncmp(name, place, strlen(name)) == 0);
	close(descriptor);
}

/* The name as the kernel has it, stored across the end of a page, and as /proc has it. */
static void show(const char *what)
{
	static int slot;
	char *name = found[slot] + PAGE - 5;

	printf("%s: %d, ", what, prctl(PR_GET_NAME, name));
	printf("\"%s\"\n", name);
	if (with_file) {
		if (getpid() == (pid_t)syscall(SYS_gettid))
			show_file("/proc/self/comm", found[slot + 2] + PAGE - 3, name);
		show_file("/proc/thread-self/comm", found[slot + 4] + PAGE - 3, name);
	}
	slot += 6;
}

static void *name_thread(void *pointer)
{
	show("thread, at first");
	prctl(PR_SET_NAME, "of a thread");
	show("thread");
	return pointer;
}

static void show_all(void)
{
	pthread_t thread;
	int status = 0;

	show("at first");
	printf("set: %d\n", prctl(PR_SET_NAME, names[0]));
	show("constant");
	prctl(PR_SET_NAME, names[1]);
	show("cut");
	prctl(PR_SET_NAME, names[3]);
	show("whole");
	prctl(PR_SET_NAME, across + PAGE - 6);
	show("constant across pages");
	pthread_create(&thread, NULL, name_thread, NULL);
	pthread_join(thread, NULL);
	show("after the thread");
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
}
