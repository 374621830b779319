/*
 * thread_leave_seccomp WAY: this thread installs a filter for all threads. The other thread sleeps
 * in a call ("poll"), writes to a full pipe ("write"), or spins without calls ("spin"). It may
 * touch one fresh page after the other, so that the signal of a fault is often pending ("touch").
 * It may spin on the same processor, and not have run since this thread looked at the process in
 * /proc ("starve"). It may have just been made ("newborn"). The other thread then finds the filter
 * in force, and nothing else changed.
 *
 * Or the other thread installs the filter, on the same processor, while this one is about to sleep
 * until that thread's end. It does so at its beginning ("join"), or after a wait without calls
 * ("joined").
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"
#include "asleep.h"
#include "processor.h"

#define SET_FILTER	1
#define FOR_ALL_THREADS 1
#define FRESH_PAGES	20000

struct instruction {
	uint16_t code;
	uint8_t if_true, if_false;
	uint32_t value;
};

static volatile char untouched[240 * 4096];
static volatile char fresh[FRESH_PAGES][4096];
static char much[1 << 20];
static int ends[2];
static const char *way;
static volatile int started, go_on, refused;
static volatile long waited;

static int install(void);

static bool other_installs(void)
{
	return strncmp(way, "join", 4) == 0;
}

static void *other(void *unused)
{
	struct pollfd wanted;

	if (other_installs()) {
		started = 1;
		while (!go_on && strcmp(way, "joined") == 0)
			;
		printf("seccomp %d\n", install());
	} else if (strcmp(way, "write") == 0) {
		started = (int)syscall(SYS_gettid);
		waited = write(ends[1], much, 200000);
		close(ends[1]);
	} else if (strcmp(way, "poll") == 0) {
		wanted = (struct pollfd){.fd = ends[0], .events = POLLIN};
		started = (int)syscall(SYS_gettid);
		waited = poll(&wanted, 1, 20000);
	} else {
		started = 1;
		for (int i = 0; i < FRESH_PAGES && strcmp(way, "touch") == 0; i++)
			fresh[i][0] = 1;
		while (!go_on)
			;
	}
	refused = syscall(SYS_getpriority, 0, 0) == -1 && errno == EXDEV;
	return unused;
}

static int install(void)
{
	/*
	 * The form of <linux/filter.h>, which musl lacks. The filter reads the number; getpriority
	 * fails; four calls, which the program no longer makes, kill; all others are allowed.
	 */
	static const struct instruction code[] = {
	    {0x20, 0, 0, 0},
	    {0x15, 0, 1, SYS_getpriority},
	    {0x06, 0, 0, 0x00050000 | EXDEV},
	    {0x15, 3, 0, SYS_prctl},
	    {0x15, 2, 0, SYS_sigaltstack},
	    {0x15, 1, 0, SYS_rt_sigreturn},
	    {0x15, 0, 1, SYS_rt_sigaction},
	    {0x06, 0, 0, 0x80000000},
	    {0x06, 0, 0, 0x7fff0000},
	};
	const struct {
		uint16_t count;
		const struct instruction *code;
	} program = {sizeof(code) / sizeof(*code), code};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return (int)syscall(SYS_seccomp, SET_FILTER, FOR_ALL_THREADS, &program);
}

/* Waits for the other thread to sleep in its call, or does not let it run before the filter. */
static void get_ready(void)
{
	if (strcmp(way, "newborn") == 0 || strcmp(way, "join") == 0)
		return;
	while (!started)
		sched_yield();
	if (strcmp(way, "starve") == 0)
		close(open("/proc/self/stat", O_RDONLY));
	else if (strcmp(way, "spin") == 0)
		rest(1);
	else if (strcmp(way, "touch") != 0 && !other_installs())
		wait_until_asleep(started);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	long result = 1;

	way = WORD(1, "spin", "write", "poll", "touch", "newborn", "starve", "join", "joined");
	must(pipe(ends) == 0);
	if (strcmp(way, "starve") == 0 || strcmp(way, "newborn") == 0 || other_installs())
		stay_on_this_processor();
	if (strcmp(way, "write") == 0 || strcmp(way, "poll") == 0)
		asleep_begin();
	pthread_create(&thread, NULL, other, NULL);
	get_ready();
	if (!other_installs())
		printf("seccomp %d\n", install());
	fflush(stdout);
	go_on = 1;
	if (strcmp(way, "poll") == 0)
		check("byte", write(ends[1], much, 1) == 1);
	while (strcmp(way, "write") == 0 && result > 0)
		result = read(ends[0], much + 500000, 100000);
	pthread_join(thread, NULL);
	printf("waited %ld, refused %d\n", waited, refused);
	check("refused here", syscall(SYS_getpriority, 0, 0) == -1 && errno == EXDEV);
	return untouched[30000];
}
