/*
 * memory_advise: madvise over pages of static arrays, touched and untouched: dropped, populated,
 * left out of children, emptied in children, guarded by the program's own guard markers.
 *
 * No mark with userfaultfd: madvise() ends lazy paging.
 */
#include "guest.h"

#define PAGES		    128
#define POPULATE_READ	    22
#define POPULATE_WRITE	    23
#define GUARD_INSTALL	    102
#define GUARD_REMOVE	    103
#define OWN_MADV_DONTFORK   10
#define OWN_MADV_WIPEONFORK 18

static char area[PAGES * PAGE] __attribute__((aligned(PAGE)));
static char filled[PAGES * PAGE] __attribute__((aligned(PAGE))) = {[5] = 'd', [30 * PAGE] = 'e'};
static const char constants[16 * PAGE] __attribute__((aligned(PAGE))) = {[5 * PAGE] = 'c'};

static void advise(const char *what, const char *start, int pages, int advice)
{
	int result = madvise((void *)start, (size_t)pages * PAGE, advice);

	printf("%s: %s\n", what, result == 0 ? "done" : strerror(errno));
}

/* How many of the first `end` pages have a first byte that is not 0. */
static int count(volatile char *start, int end)
{
	int result = 0;

	for (int i = 0; i < end; i++)
		result += start[i * PAGE] != 0;
	return result;
}

static int end_of_child(volatile char *place)
{
	pid_t child = fork();

	if (child == 0)
		_exit(*place);
	return end_of(child);
}

static void advise_all(char *array)
{
	for (int i = 0; i < 40; i += 2)
		array[i * PAGE] = 1;
	advise("willneed", array + 1 * PAGE, 4, MADV_WILLNEED);
	advise("dontneed", array + 8 * PAGE, 8, MADV_DONTNEED);
	printf("%d\n", count(array, 48));
	advise("free", array + 20 * PAGE + 4 * PAGE, 1, MADV_FREE);
	array[24 * PAGE] = 2;
	advise("populate for reading", array + 50 * PAGE, 4, POPULATE_READ);
	advise("populate for writing", array + 37 * PAGE, 8, POPULATE_WRITE);
	advise("random", array + 5 * PAGE, 60, MADV_RANDOM);
	advise("sequential", array + 70 * PAGE, 3, MADV_SEQUENTIAL);
	advise("no huge pages", array + 75 * PAGE, 2, MADV_NOHUGEPAGE);
	advise("not dumped", array + 80 * PAGE, 2, MADV_DONTDUMP);
	advise("cold", array + 30 * PAGE, 60, 20);
	printf("%d\n", count(array, 90));
	array[90 * PAGE] = array[92 * PAGE] = array[95 * PAGE] = 7;
	advise("not forked", array + 90 * PAGE, 2, OWN_MADV_DONTFORK);
	advise("emptied in children", array + 92 * PAGE, 2, OWN_MADV_WIPEONFORK);
	printf("children: %d %d %d %d %d\n", end_of_child(array + 90 * PAGE),
	       end_of_child(array + 91 * PAGE), end_of_child(array + 92 * PAGE),
	       end_of_child(array + 93 * PAGE), end_of_child(array + 95 * PAGE));
}

static void guard_some(char *array)
{
	advise("guard", array + 94 * PAGE, 8, GUARD_INSTALL);
	printf("children: %d %d %d\n", end_of_child(array + 95 * PAGE),
	       end_of_child(array + 101 * PAGE), end_of_child(array + 102 * PAGE));
	advise("populate guarded", array + 96 * PAGE, 2, POPULATE_WRITE);
	advise("drop guarded", array + 97 * PAGE, 2, MADV_DONTNEED);
	printf("child: %d\n", end_of_child(array + 98 * PAGE));
	advise("no guard", array + 94 * PAGE, 8, GUARD_REMOVE);
	printf("%d\n", count(array, PAGES));
	advise("no guard, untouched", array + 110 * PAGE, 8, GUARD_REMOVE);
	advise("unknown", array, 1, 4711);
	if (madvise(array + 1, PAGE, MADV_DONTNEED) != 0)
		printf("misaligned: %s\n", strerror(errno));
}

int main(void)
{
	volatile const char *shown = constants;

	advise_all(area);
	advise_all(filled);
	filled[30 * PAGE] = 'x';
	advise("data", filled, 31, MADV_DONTNEED);
	printf("%c%c\n", filled[5], filled[30 * PAGE]);
	advise("constants", constants + 4 * PAGE, 3, MADV_DONTNEED);
	advise("constants, for reading", constants, 16, POPULATE_READ);
	advise("constants, for writing", constants, 16, POPULATE_WRITE);
	printf("%c\n", shown[5 * PAGE]);
	mark();
	guard_some(area);
	guard_some(filled);
}
