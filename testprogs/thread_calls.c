/* thread_calls: threads make system calls at once that the kernel answers onto fresh pages. */
#include "guest.h"
#include "threads.h"

#include <sys/random.h>
#include <sys/utsname.h>

#define THREADS 8
#define ROUNDS	40

static struct {
	char gap1[5000];
	struct utsname name;
	char gap2[5000];
	struct timespec time;
	unsigned char random[6000];
	int ends[2];
	char text[3000];
} fresh[THREADS][ROUNDS];

static void *work(void *pointer)
{
	long me = (long)pointer, good = 0;

	for (int i = 0; i < ROUNDS; i++) {
		ssize_t got;

		good += uname(&fresh[me][i].name) == 0 && fresh[me][i].name.sysname[0] == 'L';
		good += clock_gettime(CLOCK_MONOTONIC, &fresh[me][i].time) == 0;
		good += getrandom(fresh[me][i].random, 6000, 0) == 6000;
		good += pipe(fresh[me][i].ends) == 0;
		good += write(fresh[me][i].ends[1], "some constant text", 18) == 18;
		got = read(fresh[me][i].ends[0], fresh[me][i].text, 3000);
		good += got == 18 && memcmp(fresh[me][i].text, "some constant text", 18) == 0;
		close(fresh[me][i].ends[0]);
		close(fresh[me][i].ends[1]);
	}
	return (void *)good;
}

int main(void)
{
	long good = run_threads(THREADS, work);

	printf("good %ld of %d\n", good, THREADS * ROUNDS * 6);
	mark();
}
