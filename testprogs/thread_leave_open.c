/*
 * thread_leave_open: lazy paging ends while another thread opens a FIFO that has no writer yet. The
 * writer is the thread that ends lazy paging.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"

static volatile char untouched[240 * 4096];
static char path[64];
static volatile int started, got;

static void *reader(void *unused)
{
	char byte = 0;
	int file;

	started = 1;
	file = open(path, O_RDONLY);
	got = read(file, &byte, 1) == 1 && byte == 'x';
	close(file);
	return unused;
}

int main(void)
{
	char folder[] = "/tmp/leave.XXXXXX";
	pthread_t thread;
	int file;

	check("folder", mkdtemp(folder) != NULL);
	snprintf(path, sizeof(path), "%s/fifo", folder);
	check("FIFO", mkfifo(path, 0600) == 0);
	pthread_create(&thread, NULL, reader, NULL);
	while (!started)
		;
	/* Without a call, so that the other thread gets into its own. */
	spin_for(5000000);
	close(open("/proc/self/stat", O_RDONLY));
	file = open(path, O_WRONLY);
	check("written", write(file, "x", 1) == 1);
	pthread_join(thread, NULL);
	check("byte", got);
	unlink(path);
	rmdir(folder);
	return untouched[30000];
}
