/*
 * memory_core: mincore over pages of static arrays, the vector being untouched itself; msync; names
 * for parts of static arrays.
 *
 * No mark with userfaultfd: madvise() ends lazy paging.
 */
#include "guest.h"

#define OWN_PR_SET_VMA	    0x53564d41
#define OWN_PR_SET_VMA_ANON 0
#define OWN_MADV_NOHUGEPAGE 15
#define OWN_MADV_POPULATE   23

static char area[512 * PAGE] __attribute__((aligned(PAGE)));
static unsigned char vectors[16 * PAGE] __attribute__((aligned(PAGE)));
static char filled[32 * PAGE] __attribute__((aligned(PAGE))) = {[20 * PAGE] = 'd'};
static const char name[2 * PAGE]
    __attribute__((aligned(PAGE))) = {[PAGE - 3] = 's', 't', 'a', 't', 's'};

static int present(const char *start, int pages, unsigned char *vector)
{
	int count = 0;

	if (mincore((void *)start, (size_t)pages * PAGE, vector) != 0)
		return -errno;
	for (int i = 0; i < pages; i++)
		count += vector[i] & 1;
	return count;
}

/* Prints how many pages the mappings that carry the name have. */
static void show_named(const char *wanted)
{
	char line[512];
	unsigned long start, end, length = 0;
	FILE *file = fopen("/proc/self/maps", "r");

	while (file && fgets(line, sizeof(line), file))
		if (strstr(line, wanted) && sscanf(line, "%lx-%lx", &start, &end) == 2)
			length += end - start;
	if (file)
		fclose(file);
	printf("%s: %lu pages\n", wanted, length / PAGE);
}

int main(void)
{
	uintptr_t arguments[3] = {(uintptr_t)area + 400 * PAGE, 20 * PAGE,
				  (uintptr_t)(name + PAGE - 3)};
	int result;

	madvise(area, sizeof(area), OWN_MADV_NOHUGEPAGE);
	madvise(area, sizeof(area), MADV_DONTNEED);
	result = madvise(area + 16 * PAGE, 32 * PAGE, OWN_MADV_POPULATE);
	printf("populated: %d of 64\n", result == 0 ? present(area, 64, vectors + PAGE - 32) : 32);
	madvise(area + 20 * PAGE, 8 * PAGE, MADV_DONTNEED);
	printf("dropped: %d\n", result == 0 ? present(area, 64, vectors + 3 * PAGE - 1) : 24);
	for (int i = 100; i < 120; i += 2)
		area[i * PAGE] = 1;
	printf("touched: %d\n", present(area + 100 * PAGE, 20, vectors + 5 * PAGE));
	munmap(area + 110 * PAGE, PAGE);
	printf("hole: %d\n", present(area + 100 * PAGE, 20, vectors + 7 * PAGE));
	check("no vector", mincore(area, PAGE, NULL) == -1 && errno == EFAULT);
	check("misaligned", mincore(area + 1, PAGE, vectors) == -1 && errno == EINVAL);
	check("sync", msync(area + 200 * PAGE, 40 * PAGE, MS_SYNC) == 0);
	check("sync", msync(area + 300 * PAGE, 40 * PAGE, MS_ASYNC | MS_INVALIDATE) == 0);
	check("sync data", msync(filled + 8 * PAGE, 8 * PAGE, MS_SYNC) == 0);
	check("sync hole", msync(area + 109 * PAGE, 3 * PAGE, MS_SYNC) == -1 && errno == ENOMEM);
	result =
	    prctl(OWN_PR_SET_VMA, OWN_PR_SET_VMA_ANON, arguments[0], arguments[1], arguments[2]);
	printf("named: %s\n", result == 0 ? "done" : strerror(errno));
	if (result == 0)
		show_named("[anon:stats]");
	for (int i = 390; i < 430; i++)
		area[i * PAGE]++;
	printf("%d %d\n", area[405 * PAGE], area[429 * PAGE]);
	mark();
}
