/*
 * thread_vectors: one of two threads writes more buffers at once than fit into a look at them; all
 * are fresh pages.
 *
 * No mark: lazy paging ends before the call.
 */
#include "guest.h"

#include <stdatomic.h>
#include <sys/uio.h>

#define BUFFERS 9

static char area[(BUFFERS + 2) * PAGE];
static atomic_int ended;

static void write_them(void)
{
	struct iovec buffers[BUFFERS];
	char got[BUFFERS + 1];
	ssize_t written;
	int ends[2];

	for (int i = 0; i < BUFFERS; i++)
		buffers[i] = (struct iovec){area + PAGE + i * PAGE, 1};
	/* Lazy paging would end before a line is printed. */
	written = pipe(ends) == 0 ? writev(ends[1], buffers, BUFFERS) : -1;
	check("all are written", written == BUFFERS);
	memset(got, 'x', sizeof(got));
	check("all are read", read(ends[0], got, sizeof(got)) == BUFFERS);
	check("they are zeros", memcmp(got, area, BUFFERS) == 0 && got[BUFFERS] == 'x');
}

static void *stay_lazy(void *unused)
{
	while (!ended)
		;
	return unused;
}

int main(void)
{
	pthread_t other;

	must(pthread_create(&other, NULL, stay_lazy, NULL) == 0);
	write_them();
	ended = 1;
	pthread_join(other, NULL);
}
