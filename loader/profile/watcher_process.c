/* The watcher itself: waits for the program, looks at its memory, and ends. */
#include "common/arch/syscall.h"
#include "common/clock.h"
#include "common/kernel_abi.h"
#include "common/kernel_text.h"
#include "common/page.h"
#include "loader/profile/watcher_parts.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* After this time a program has started: what it reads later is not part of its start. */
#define START_MILLISECONDS 5000

/* How often the watcher checks the program's size, and when it first looks at the memory. */
#define TICK_MILLISECONDS 5

/*
 * A program with more pages of its own is not held any longer: the kernel takes long to free them,
 * which would delay the program's visible end. The watcher keeps what it has seen by then.
 */
#define HELD_PAGES ((UINT64_C(12) << 20) / PAGE_BYTES)

/* The watcher's descriptors. The first three are pidfds, to which nothing can be written. */
enum { PROGRAM_ENDS, STANDARD_OUTPUT, STANDARD_ERROR, CHANNEL, LIFE, KEPT, DESCRIPTORS };

static void close_from(int first)
{
	if (syscall(KERNEL_SYS_CLOSE_RANGE, first, UINT32_MAX, 0) == 0)
		return;
	/* Used before Linux 5.9. */
	for (long i = sysconf(_SC_OPEN_MAX); i >= first; i--)
		close((int)i);
}

/* Closes all descriptors except the watcher's, which get fixed numbers. */
static bool keep_descriptors(const struct making *making)
{
	const int from[DESCRIPTORS] = {making->program, making->program, making->program,
				       making->channel, making->life[1], *making->task->kept};
	int moved[DESCRIPTORS];

	for (int i = 0; i < DESCRIPTORS; i++)
		moved[i] = fcntl(from[i], F_DUPFD, DESCRIPTORS);
	for (int i = 0; i < DESCRIPTORS; i++)
		if (moved[i] < 0 || dup2(moved[i], i) < 0)
			return false;
	close_from(DESCRIPTORS);
	*making->task->kept = KEPT;
	return true;
}

/*
 * Whether the process that adopts orphans waits for them, as process 1 and systemd's session
 * manager do.
 */
static bool has_fit_parent(const struct making *making)
{
	static const struct timespec nap = {.tv_nsec = 50 * 1000};
	char path[32], name[16];

	while (getppid() == making->between)
		nanosleep(&nap, NULL);
	if (getppid() == 1)
		return true;
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)getppid());
	return strcmp(kernel_text(path, name, sizeof(name)), "systemd\n") == 0;
}

/* Numbers from /proc/PID/statm: pages of address space, and pages in memory without a file. */
struct size {
	uint64_t all, own;
};

static struct size size_of(int statm)
{
	char text[128];
	ssize_t length = pread(statm, text, sizeof(text) - 1, 0);
	struct size size = {0, 0};
	uint64_t resident, shared;

	text[length > 0 ? length : 0] = '\0';
	if (sscanf(text, "%lu %lu %lu", &size.all, &resident, &shared) == 3)
		size.own = resident - shared;
	return size;
}

static int open_statm(pid_t process)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/statm", (int)process);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* State of watching one program. */
struct watching {
	const struct watcher_task *task;
	struct held held;
	int statm[2];	 /* of the program and of the holder */
	uint64_t passed; /* ms since the watcher started */
	uint64_t next;	 /* time of the next look, ms */
	bool holds;	 /* there is a holder */
};

/* Whether the program has left the held memory by execve. */
static bool has_left(const struct watching *watching)
{
	uint64_t held = size_of(watching->statm[1]).all, now = size_of(watching->statm[0]).all;

	return watching->holds && now != held && size_of(watching->statm[1]).all == held;
}

/* Makes the kernel kill the holder. */
static void let_go(struct watching *watching)
{
	if (watching->holds)
		close(LIFE);
	watching->holds = false;
}

static void look(struct watching *watching, bool is_last)
{
	watching->task->look(watching->task->context, &watching->held, is_last);
}

/*
 * Called while the program runs: looks after 5 ms, and then each time the elapsed time has grown by
 * half.
 */
static void tick(struct watching *watching)
{
	if (size_of(watching->statm[0]).own > HELD_PAGES)
		let_go(watching);
	if (watching->passed < watching->next)
		return;
	watching->next = watching->passed + watching->passed / 2;
	look(watching, false);
}

/* Waits for the end of the program's start. */
static void wait_for_program(struct watching *watching)
{
	struct pollfd program = {.fd = PROGRAM_ENDS, .events = POLLIN};
	uint64_t start = clock_now_ns();

	while (poll(&program, 1, TICK_MILLISECONDS) == 0 && watching->passed < START_MILLISECONDS &&
	       !has_left(watching)) {
		watching->passed = (clock_now_ns() - start) / 1000000;
		tick(watching);
	}
	if (watching->holds)
		look(watching, true);
	let_go(watching);
}

static void say(char answer)
{
	(void)!write(CHANNEL, &answer, 1);
}

/* Whether the loader has passed on the memory. */
static bool is_given(const struct making *making, struct held *held, int *more)
{
	if (!has_fit_parent(making)) {
		say(UNFIT);
		return false;
	}
	say(FIT);
	if (!held_receive(CHANNEL, held, more))
		return false;
	say(FIT);
	close(CHANNEL);
	return true;
}

static void watch(const struct making *making)
{
	struct watching watching = {.task = making->task, .holds = true};
	int more;

	if (!is_given(making, &watching.held, &more))
		return;
	watching.statm[0] = open_statm(making->program_id);
	watching.statm[1] = open_statm(watching.held.holder);
	wait_for_program(&watching);
	held_close(&watching.held);
	close(more);
	/* Gives other processes priority. */
	(void)!nice(10);
	making->task->finish(making->task->context);
}

_Noreturn void watcher_run(const struct making *making)
{
	uint64_t every_signal = UINT64_MAX;

	raw_syscall6(SYS_rt_sigprocmask, SIG_BLOCK, (uint64_t)&every_signal, 0, KERNEL_SIGSET_SIZE,
		     0, 0);
	setsid();
	prctl(PR_SET_NAME, "pagewise-watch");
	if (chdir("/") == 0 && keep_descriptors(making))
		watch(making);
	_exit(0);
}
