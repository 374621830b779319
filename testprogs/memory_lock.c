/*
 * memory_lock: mlock, mlock2, munlock and mlockall on untouched pages of static arrays. The counts
 * of locked memory are those of a native run.
 */
#include "guest.h"

#define OWN_MLOCK_ONFAULT 1

static char area[512 * PAGE] __attribute__((aligned(PAGE)));
static char filled[32 * PAGE] __attribute__((aligned(PAGE))) = {[20 * PAGE] = 'd'};
static const char constants[32 * PAGE] __attribute__((aligned(PAGE))) = {[20 * PAGE] = 'c'};

/* A file in /proc counts what is locked; to open it ends lazy paging. */
static int counts;

static void show(const char *what, int result)
{
	char line[256];
	int locked = -1;
	FILE *file = counts ? fopen("/proc/self/status", "r") : NULL;

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "VmLck: %d", &locked);
	if (file)
		fclose(file);
	printf("%s: %s, %d kB\n", what, result == 0 ? "done" : strerror(errno), locked);
}

static int sum(volatile const char *start, int pages)
{
	int result = 0;

	for (int i = 0; i < pages; i++)
		result += start[i * PAGE];
	return result;
}

static void lock_all(void)
{
	unsigned char present[16];
	int count = 0;

	area[40 * PAGE] = 1;
	show("at first", 0);
	show("some", mlock(area + 32 * PAGE, 16 * PAGE));
	if (counts && mincore(area + 32 * PAGE, 16 * PAGE, present) == 0)
		for (int i = 0; i < 16; i++)
			count += present[i] & 1;
	printf("%d of them present\n", count);
	show("straddling", mlock(area + 60 * PAGE + 4000, 200));
	show("on fault", (int)syscall(SYS_mlock2, area + 70 * PAGE, 16 * PAGE, OWN_MLOCK_ONFAULT));
	area[75 * PAGE] = 2;
	show("wrong flag", (int)syscall(SYS_mlock2, area + 70 * PAGE, PAGE, 8));
	show("data", mlock(filled + 16 * PAGE, 8 * PAGE));
	show("constants", mlock(constants + 16 * PAGE, 8 * PAGE));
	show("half of it unlocked", munlock(area + 40 * PAGE, 40 * PAGE));
	munmap(area + 101 * PAGE, PAGE);
	show("with a hole", mlock(area + 100 * PAGE, 3 * PAGE));
	show("the hole", mlock(area + 101 * PAGE, PAGE));
	show("all unlocked", munlockall());
	printf("%d, %c, %c\n", sum(area, 100), sum(filled, 32), sum(constants, 32));
}

int main(void)
{
	lock_all();
	mark();
	counts = 1;
	lock_all();

	/* The count is not shown: it depends on what is mapped besides the program. */
	printf("all: %d\n", mlockall(MCL_CURRENT));
	munlockall();
	show("nothing", 0);
	show("future", mlockall(MCL_FUTURE | 4));
	show("mapped", mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0) == MAP_FAILED);
	printf("%d, %d\n", sum(area + 200 * PAGE, 300), munlockall());
}
