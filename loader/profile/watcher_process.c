/* The watcher itself: waits for the program, looks at its memory, and ends. */
#include "common/arch/x86_64/syscall.h"
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

/* A program that runs longer has started: what it reads later is not for its next start. */
#define START_MILLISECONDS 5000

/* Between two looks at a program that runs. */
#define LOOK_MILLISECONDS 5

/*
 * A program with more pages of its own is not held any longer: the kernel takes long to free them,
 * which would be seen after the program's end.
 */
#define HELD_PAGES ((UINT64_C(32) << 20) / PAGE_BYTES)

/*
 * Processor time for one look at the program's memory. After the program's end freeing the memory
 * comes on top, and both together stay below 5 ms.
 */
#define LOOK_NANOSECONDS      UINT64_C(5000000)
#define LAST_LOOK_NANOSECONDS UINT64_C(3000000)

/* The watcher's descriptors. To the first three, pidfds all, nothing can be written. */
enum { PROGRAM_ENDS, STANDARD_OUTPUT, STANDARD_ERROR, CHANNEL, LIFE, KEPT, DESCRIPTORS };

static void close_from(int first)
{
	if (syscall(KERNEL_SYS_CLOSE_RANGE, first, UINT32_MAX, 0) == 0)
		return;
	/* Before Linux 5.9. */
	for (long i = sysconf(_SC_OPEN_MAX); i >= first; i--)
		close((int)i);
}

/* Closes all descriptors but the watcher's, which get their numbers. */
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

/* The process that adopts orphans waits for them: process 1, and systemd's manager of a session. */
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

/* Numbers of /proc/PID/statm: pages of address space, and in memory without a file. */
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

/*
 * Whether the held memory should be let go although the program has not ended: it is large, or the
 * program has left it by execve.
 */
static bool is_enough(int program, int holder)
{
	struct size held = size_of(holder), now = size_of(program);

	return held.own > HELD_PAGES || (now.all != held.all && size_of(holder).all == held.all);
}

/* Waits for the end of the program's start, and looks after 5 ms, 10 ms, 20 ms and so on. */
static void wait_for_program(const struct making *making, const struct held *held)
{
	const struct watcher_task *task = making->task;
	struct pollfd program = {.fd = PROGRAM_ENDS, .events = POLLIN};
	int statm[2] = {open_statm(making->program_id), open_statm(held->holder)};
	uint64_t start = clock_now_ns(), next = LOOK_MILLISECONDS, passed = 0;

	while (poll(&program, 1, LOOK_MILLISECONDS) == 0 && passed < START_MILLISECONDS &&
	       !is_enough(statm[0], statm[1])) {
		passed = (clock_now_ns() - start) / 1000000;
		if (passed < next)
			continue;
		next = 2 * passed;
		task->look(task->context, held, LOOK_NANOSECONDS);
	}
}

static void say(char answer)
{
	(void)!write(CHANNEL, &answer, 1);
}

/* Whether the loader has handed the memory over. */
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
	const struct watcher_task *task = making->task;
	struct held held;
	bool good;
	int more;

	if (!is_given(making, &held, &more))
		return;
	wait_for_program(making, &held);
	good = task->collect(task->context, &held, LAST_LOOK_NANOSECONDS);
	/* The kernel kills the holder, and frees the memory. */
	close(LIFE);
	held_close(&held);
	close(more);
	/* Other processes go first. */
	(void)!nice(10);
	if (good)
		task->finish(task->context);
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
