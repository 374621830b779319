/*
 * thread_unmap_race: eight threads own every eighth page of one array. They protect, drop, unmap
 * and map theirs, while their neighbors touch and are given theirs by the kernel.
 *
 * No mark with userfaultfd: madvise() ends lazy paging.
 */
#include "guest.h"
#include "threads.h"

#include <sys/random.h>

/* Where the kernel's pages may be larger than 4 KiB, the largest. */
#ifdef LARGEST_PAGE
#undef PAGE
#define PAGE LARGEST_PAGE
#endif

#define THREADS 8
#define PAGES	48
#define BOTH	(PROT_READ | PROT_WRITE)
#define FLAGS	(MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED)

static unsigned char area[THREADS * PAGES * PAGE] __attribute__((aligned(PAGE)));
static pthread_barrier_t barrier;

static int use(unsigned char *page, int what, unsigned char mark)
{
	int wrong = page[9] != 0;

	page[9] = mark;
	switch (what) {
	case 0:
		wrong += mprotect(page, PAGE, PROT_READ) != 0 || page[9] != mark;
		wrong += mprotect(page, PAGE, PROT_NONE) != 0;
		wrong += mprotect(page, PAGE, BOTH) != 0 || page[9] != mark;
		break;
	case 1:
		wrong += madvise(page, PAGE, MADV_DONTNEED) != 0 || page[9] != 0;
		page[9] = mark;
		break;
	case 2:
		wrong += munmap(page, PAGE) != 0;
		/* No other thread asks for memory meanwhile, so the gap is not filled. */
		wrong += mmap(page, PAGE, BOTH, FLAGS, -1, 0) != page || page[9] != 0;
		page[9] = mark;
		break;
	case 3:
		wrong += mmap(page, PAGE, BOTH, FLAGS, -1, 0) != page || page[9] != 0;
		page[9] = mark;
		break;
	default:
		wrong += getrandom(page + 10, 100, 0) != 100 || page[9] != mark;
	}
	return wrong;
}

static void *work(void *pointer)
{
	long me = (long)pointer, wrong = 0;

	pthread_barrier_wait(&barrier);
	for (int i = 0; i < PAGES; i++) {
		unsigned char *page = area + (i * THREADS + me) * PAGE;

		wrong += use(page, (int)(i + me) % 5, (unsigned char)(me + 1));
		if (i > 0)
			wrong += page[9 - THREADS * PAGE] != me + 1;
	}
	return (void *)wrong;
}

int main(void)
{
	long wrong = 0, sum = 0;

	pthread_barrier_init(&barrier, NULL, THREADS);
	wrong += run_threads(THREADS, work);
	for (int i = 0; i < THREADS * PAGES; i++)
		sum += area[i * PAGE + 9];
	printf("wrong %ld, sum %ld\n", wrong, sum);
	mark();
}
