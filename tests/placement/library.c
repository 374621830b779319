/*
 * library TEST: a test of libplacement.a, which checks frames in /proc/self/pagemap itself. Prints
 * what went wrong and fails, or prints nothing.
 */
#include <placement.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE	4096
#define PAGES	768
#define THREADS 3

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                     \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/*
 * For conditions about frames. The kernel may move a page to another frame at any time, for example
 * to make room for a huge page. If it has moved some since the test began, a condition that does
 * not hold shows nothing, and the test begins again.
 */
#define CHECK_FRAMES(condition)                                                                    \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			begin_again_if_moved();                                                    \
			CHECK(condition);                                                          \
		}                                                                                  \
	} while (0)

/* How a child ends whose pages have been moved. */
#define MOVED 75

static char area[PAGES * PAGE] __attribute__((aligned(PAGE)));
static char **arguments;
static unsigned long moved_before;
static pid_t first_process;

/* How many pages the kernel has moved since it started. */
static unsigned long moved(void)
{
	FILE *counters = fopen("/proc/vmstat", "r");
	char line[128];
	unsigned long sum = 0, count;

	while (counters != NULL && fgets(line, sizeof(line), counters) != NULL)
		if (sscanf(line, "pgmigrate_success %lu", &count) == 1 ||
		    sscanf(line, "thp_collapse_alloc %lu", &count) == 1)
			sum += count;
	if (counters != NULL)
		fclose(counters);
	return sum;
}

static void begin_again_if_moved(void)
{
	if (moved() == moved_before)
		return;
	if (getpid() != first_process)
		_exit(MOVED);
	execv("/proc/self/exe", arguments);
}

static struct placement *open_placement(void)
{
	struct placement *placement;

	CHECK(placement_open(0, &placement) == 0);
	return placement;
}

/* 0 if the page is not present, or its frame is not shown. */
static uint64_t frame_of(const void *address)
{
	int file = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry = 0;

	CHECK(pread(file, &entry, 8, (off_t)((uintptr_t)address / PAGE * 8)) == 8);
	close(file);
	return entry & ((UINT64_C(1) << 55) - 1);
}

static void set(struct placement *placement, char *start, size_t pages, const char *text,
		struct placement_counts *counts)
{
	struct placement_strategy strategy;
	int error;

	CHECK(placement_parse(text, &strategy) == 0);
	error = placement_set(placement, start, pages * PAGE, &strategy, counts);
	if (error != 0)
		printf("%s: %s\n", text, placement_error(error));
	CHECK(error == 0);
	CHECK(counts->pages == pages);
	CHECK(counts->placed + counts->already + counts->unplaced == pages);
}

static void fill(char *start, size_t pages, uint64_t seed)
{
	for (size_t i = 0; i < pages * PAGE / 8; i++)
		((uint64_t *)start)[i] = i * 0x9e3779b97f4a7c15 + seed;
}

static int is_filled(const char *start, size_t pages, uint64_t seed)
{
	for (size_t i = 0; i < pages * PAGE / 8; i++)
		if (((const uint64_t *)start)[i] != i * 0x9e3779b97f4a7c15 + seed)
			return 0;
	return 1;
}

/* Every page has the frame that was asked for: half of them were there before, with contents. */
static void colors(void)
{
	struct placement *placement = open_placement();
	struct placement_counts counts;

	fill(area, PAGES / 2, 1);
	set(placement, area, PAGES, "coloring:16", &counts);
	/* The frames of a huge page may have their colors already. */
	CHECK(counts.unplaced == 0);
	CHECK(is_filled(area, PAGES / 2, 1));
	for (size_t i = 0; i < PAGES; i++) {
		CHECK_FRAMES(frame_of(area + i * PAGE) % 16 ==
			     (uintptr_t)(area + i * PAGE) / PAGE % 16);
		CHECK(i < PAGES / 2 || area[i * PAGE] == 0);
	}
	set(placement, area, PAGES, "coloring:16", &counts);
	CHECK_FRAMES(counts.already == PAGES);
	set(placement, area, PAGES, "bin-hopping:32,5", &counts);
	CHECK(counts.unplaced == 0);
	for (size_t i = 0; i < PAGES; i++)
		CHECK_FRAMES(frame_of(area + i * PAGE) % 32 == (i + 5) % 32);
	set(placement, area, 10, "bin-hopping:32,5", &counts);
	for (size_t i = 0; i < 10; i++)
		CHECK_FRAMES(frame_of(area + i * PAGE) % 32 == (PAGES + i + 5) % 32);
	set(placement, area + 100 * PAGE, 50, "modulo:100,7", &counts);
	CHECK(counts.unplaced == 0);
	for (size_t i = 100; i < 150; i++)
		CHECK_FRAMES(frame_of(area + i * PAGE) % 100 == 7);
	CHECK(is_filled(area, PAGES / 2, 1));
	placement_close(placement);
}

/* Gives back frames, and places pages on them. Returns how many have one of them. */
static uint64_t exactly_again(struct placement *placement)
{
	struct placement_strategy strategy = {.kind = PLACEMENT_EXACT, .frame_count = 256};
	char *before =
	    mmap(NULL, 256 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct placement_counts counts;
	static uint64_t frames[256];
	uint64_t right = 0;

	for (size_t i = 0; i < 256; i++) {
		before[i * PAGE] = 1;
		frames[i] = frame_of(before + i * PAGE);
	}
	strategy.frames = frames;
	CHECK(placement_set(placement, before, 256 * PAGE, &strategy, &counts) == 0);
	CHECK_FRAMES(counts.already == 256);
	fill(area, 300, 5);
	munmap(before, 256 * PAGE);
	CHECK(placement_set(placement, area, 300 * PAGE, &strategy, &counts) == 0);
	CHECK(counts.pages == 256 && counts.placed + counts.unplaced + counts.already == 256);
	for (size_t i = 0; i < 256; i++)
		right += frame_of(area + i * PAGE) == frames[i];
	CHECK_FRAMES(right == counts.placed + counts.already);
	CHECK(is_filled(area, 300, 5));
	return right;
}

/* Another process may take all frames that were freed. Sooner or later some are given out again. */
static void exact(void)
{
	struct placement *placement = open_placement();

	while (exactly_again(placement) == 0)
		;
	placement_close(placement);
}

/* ---- while others work ---- */

static volatile int stop;

/* Adds to the thread's words on every page, and to words that all threads share. */
static void *add(void *argument)
{
	uint64_t *words = (uint64_t *)area, rounds = 0;
	size_t own = (size_t)argument;

	for (; !stop; rounds++)
		for (size_t page = 0; page < PAGES; page += 3) {
			words[page * PAGE / 8 + own]++;
			__atomic_fetch_add(&words[page * PAGE / 8 + 500], 1, __ATOMIC_RELAXED);
		}
	return (void *)rounds;
}

static void threads(void)
{
	static const char *const texts[] = {"coloring:16", "modulo:4,1", "bin-hopping:8",
					    "coloring:64"};
	struct placement *placement = open_placement();
	struct placement_counts counts;
	uint64_t rounds[THREADS], all = 0;
	pthread_t thread[THREADS];

	for (size_t i = 0; i < THREADS; i++)
		CHECK(pthread_create(&thread[i], NULL, add, (void *)i) == 0);
	for (int i = 0; i < 8; i++)
		set(placement, area, PAGES, texts[i % 4], &counts);
	stop = 1;
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(thread[i], (void **)&rounds[i]);
		all += rounds[i];
	}
	for (size_t page = 0; page < PAGES; page += 3) {
		for (size_t i = 0; i < THREADS; i++)
			CHECK(((uint64_t *)area)[page * PAGE / 8 + i] == rounds[i]);
		CHECK(((uint64_t *)area)[page * PAGE / 8 + 500] == all);
	}
	placement_close(placement);
}

/*
 * Children look at all pages. Each child is a copy of a moment in which no page is away, and no
 * lock is held by a thread that the child lacks.
 */
static void *fork_children(void *placement)
{
	struct placement_counts counts;

	for (int i = 0; i < 30; i++) {
		pid_t child = fork();
		int status;

		CHECK(child >= 0);
		if (child == 0) {
			set(placement, area, 1, "modulo:2,1", &counts);
			_exit(is_filled(area, PAGES, 9) ? 0 : 1);
		}
		CHECK(waitpid(child, &status, 0) == child && status == 0);
	}
	stop = 1;
	return NULL;
}

static void forks(void)
{
	static const char *const texts[] = {"coloring:16", "modulo:4,1", "modulo:4,2"};
	struct placement *placement = open_placement();
	struct placement_counts counts;
	pthread_t thread;

	fill(area, PAGES, 9);
	CHECK(pthread_create(&thread, NULL, fork_children, placement) == 0);
	for (int i = 0; !stop; i++)
		set(placement, area, PAGES, texts[i % 3], &counts);
	pthread_join(thread, NULL);
	CHECK(is_filled(area, PAGES, 9));
	placement_close(placement);
}

/* A child that goes on places its own memory, not its parent's. */
static void child(void)
{
	struct placement *placement = open_placement();
	struct placement_counts counts;
	uint64_t frames[64];
	int status;

	fill(area, PAGES, 3);
	set(placement, area, 64, "modulo:8,1", &counts);
	if (fork() == 0) {
		set(placement, area, PAGES, "modulo:8,3", &counts);
		CHECK(counts.unplaced == 0);
		for (size_t i = 0; i < PAGES; i++)
			CHECK_FRAMES(frame_of(area + i * PAGE) == 0 ||
				     frame_of(area + i * PAGE) % 8 == 3);
		CHECK(is_filled(area, PAGES, 3));
		_exit(0);
	}
	for (size_t i = 0; i < 64; i++)
		frames[i] = frame_of(area + i * PAGE);
	CHECK(wait(&status) > 0);
	CHECK_FRAMES(status != MOVED << 8);
	CHECK(status == 0);
	for (size_t i = 0; i < 64; i++)
		CHECK_FRAMES(frame_of(area + i * PAGE) == frames[i]);
	CHECK(is_filled(area, PAGES, 3));
	placement_close(placement);
}

/* ---- the rest of the interface ---- */

static void rest(void)
{
	struct placement *placement = open_placement();
	struct placement_strategy strategy, found;
	struct placement_counts counts;
	char *heap[64];
	size_t right = 0, pages = 0;

	for (size_t i = 0; i < 64; i++)
		memset(heap[i] = malloc(20 * PAGE), (int)i, 20 * PAGE);
	set(placement, area, 8, "modulo:16,9", &counts);
	CHECK(placement_parse("coloring:4", &strategy) == 0);
	CHECK(placement_set_default(placement, &strategy) == 0);
	CHECK(placement_get(placement, area + 5, &found) == 0);
	CHECK(found.kind == PLACEMENT_MODULO && found.base == 16 && found.result == 9);
	CHECK(placement_get(placement, heap, &found) == 0);
	CHECK(found.kind == PLACEMENT_COLORING && found.base == 4);
	fill(area, PAGES, 2);
	CHECK(placement_set_rest(placement, &counts) == 0);
	CHECK(counts.pages >= 64 * 20 + PAGES - 8 && counts.unplaced < counts.pages / 20);
	for (size_t i = 0; i < 64; i++)
		for (size_t at = 0; at < 20 * PAGE; at += PAGE) {
			uint64_t frame = frame_of(heap[i] + at);

			CHECK(heap[i][at] == (char)i);
			right += frame % 4 == (uintptr_t)(heap[i] + at) / PAGE % 4;
			pages++;
		}
	CHECK_FRAMES(frame_of(area) == 0 || right > pages * 9 / 10);
	for (size_t i = 0; i < 8; i++)
		CHECK_FRAMES(frame_of(area + i * PAGE) == 0 || frame_of(area + i * PAGE) % 16 == 9);
	CHECK(is_filled(area, PAGES, 2));
	placement_close(placement);
}

/* "VmRSS:  1234 kB", and "VmHWM:" for the peak. */
static long resident_kb(const char *name)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[128];
	long kb = 0;

	while (fgets(line, sizeof(line), status) != NULL)
		if (strncmp(line, name, strlen(name)) == 0)
			kb = atol(line + strlen(name));
	fclose(status);
	return kb;
}

static void memory(void)
{
	struct placement *placement;
	struct placement_counts counts;
	long before;

	memset(area, 1, sizeof(area));
	CHECK(placement_open((size_t)64 << 20, &placement) == 0);
	before = resident_kb("VmRSS:");
	/* There are hardly any such frames, so the pool takes all that it may. */
	set(placement, area, PAGES, "modulo:500000,7", &counts);
	CHECK(resident_kb("VmHWM:") < before + (64 << 10) + 2048);
	CHECK(resident_kb("VmRSS:") < before + 2048);
	placement_close(placement);
	CHECK(resident_kb("VmRSS:") < before + 2048);
}

static void errors(void)
{
	struct placement *placement = open_placement();
	struct placement_strategy strategy = {.kind = PLACEMENT_COLORING, .base = 16}, wrong;
	struct placement_page pages[2];
	char *here = (char *)((uintptr_t)&strategy & ~(uintptr_t)(PAGE - 1));

	CHECK(placement_set(placement, area + 1, PAGE, &strategy, NULL) == -EINVAL);
	CHECK(placement_set(placement, area, 5, &strategy, NULL) == -EINVAL);
	CHECK(placement_set(placement, area, 0, &strategy, NULL) == -EINVAL);
	CHECK(placement_set(placement, here - 8 * PAGE, 9 * PAGE, &strategy, NULL) == -EINVAL);
	CHECK(placement_set(placement, (void *)PAGE, PAGE, &strategy, NULL) == -ENOMEM);
	CHECK(placement_set(placement, (char *)(-(uintptr_t)PAGE), PAGE, &strategy, NULL) != 0);
	wrong = (struct placement_strategy){.kind = PLACEMENT_COLORING};
	CHECK(placement_set(placement, area, PAGE, &wrong, NULL) == -EINVAL);
	CHECK(placement_set_default(placement, &wrong) == -EINVAL);
	wrong = (struct placement_strategy){.kind = PLACEMENT_EXACT, .frame_count = 1};
	CHECK(placement_set(placement, area, PAGE, &wrong, NULL) == -EINVAL);
	CHECK(placement_parse("coloring", &wrong) == -EINVAL);
	CHECK(placement_parse("exact:file", &wrong) == -EINVAL);
	CHECK(placement_parse("colour:4", &wrong) == -EINVAL);
	CHECK(placement_layout(0, area, PAGE + 1, pages) == -EINVAL);
	CHECK(placement_layout(4194304, area, PAGE, pages) == -EACCES);
	CHECK(placement_layout(0, area, 2 * PAGE, pages) == 0);
	area[0] = 1;
	CHECK(placement_layout(0, area, 2 * PAGE, pages) == 0);
	CHECK_FRAMES(pages[0].frame == frame_of(area) && pages[1].state == PLACEMENT_ABSENT);
	for (int error = 0; error > -40; error--)
		CHECK(placement_error(error)[0] != '\0');
	/* NULL: the default, which is the kernel's choice. */
	CHECK(placement_set(placement, area, PAGE, NULL, NULL) == 0);
	placement_close(placement);
}

/* Strategies that need numbers are refused. Colors are those of the places in 2 MiB pages. */
static void unprivileged(void)
{
	struct placement *placement = open_placement();
	struct placement_strategy strategy = {.kind = PLACEMENT_COLORING, .base = 24};
	struct placement_counts counts;

	CHECK(placement_set(placement, area, PAGE, &strategy, NULL) == -EPERM);
	strategy = (struct placement_strategy){PLACEMENT_EXACT, 0, 0, (uint64_t[]){1}, 1};
	CHECK(placement_set(placement, area, PAGE, &strategy, NULL) == -EPERM);
	fill(area, PAGES, 4);
	set(placement, area, PAGES, "coloring:16", &counts);
	printf("%lu placed, %lu unplaced\n", (unsigned long)counts.placed,
	       (unsigned long)counts.unplaced);
	CHECK(is_filled(area, PAGES, 4));
	/* Another process looks at its frames. */
	printf("%lx-%lx\n", (unsigned long)area, (unsigned long)area + sizeof(area));
	fflush(stdout);
	getchar();
	placement_close(placement);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} tests[] = {
	    {"colors", colors}, {"exact", exact},   {"threads", threads},
	    {"forks", forks},	{"child", child},   {"rest", rest},
	    {"memory", memory}, {"errors", errors}, {"unprivileged", unprivileged},
	};

	arguments = argv;
	moved_before = moved();
	first_process = getpid();
	for (size_t i = 0; argc == 2 && i < sizeof(tests) / sizeof(tests[0]); i++)
		if (strcmp(argv[1], tests[i].name) == 0) {
			tests[i].run();
			return 0;
		}
	printf("there is no such test\n");
	return 1;
}
