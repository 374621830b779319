/*
 * thread_same_calls: sixteen threads fill the same fresh pages at once. Each lets the kernel write
 * a part of a page by pread, and writes one byte itself.
 */
#include "guest.h"
#include "threads.h"

#include <sys/uio.h>

#define PAGES	64
#define THREADS 16
#define PART	(PAGE / THREADS)

static unsigned char pages[PAGES * PAGE];
static unsigned char contents[PAGES * PAGE] = {[0] = 1};
static struct iovec vectors[THREADS][PAGES * PAGE / THREADS / sizeof(struct iovec)];
static pthread_barrier_t barrier;
static int file;

static void *work(void *pointer)
{
	long me = (long)pointer, wrong = 0;

	pthread_barrier_wait(&barrier);
	for (int i = 0; i < PAGES; i++) {
		long place = i * PAGE + me * PART;

		if (i % 2 == 0) {
			wrong += pread(file, pages + place, PART - 1, place) != PART - 1;
		} else {
			struct iovec *vector = &vectors[me][i * 3];

			vector[0] = (struct iovec){pages + place, 100};
			vector[1] = (struct iovec){pages + place + 100, PART - 101};
			wrong += preadv(file, vector, 2, place) != PART - 1;
		}
		pages[place + PART - 1] = contents[place + PART - 1];
	}
	return (void *)wrong;
}

int main(void)
{
	long wrong = 0, sum = 0;

	file = (int)syscall(SYS_memfd_create, "contents", 0);
	for (unsigned i = 0; i < sizeof(contents); i++)
		contents[i] = (unsigned char)(i * 7 + i / 251);
	must(write(file, contents, sizeof(contents)) == sizeof(contents));
	pthread_barrier_init(&barrier, NULL, THREADS);
	wrong += run_threads(THREADS, work);
	for (unsigned i = 0; i < sizeof(pages); i++) {
		wrong += pages[i] != contents[i];
		sum += pages[i];
	}
	printf("wrong %ld, sum %ld\n", wrong, sum);
	mark();
}
