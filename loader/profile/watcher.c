/* The loader's side of a watcher. */
#include "common/arch/syscall.h"
#include "common/descriptor.h"
#include "common/kernel_abi.h"
#include "common/memory_map.h"
#include "loader/profile/watcher_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define REMEDY "learn with pagewise learn -o FILE -- COMMAND, and give --profile=FILE"

#define STACK_BYTES (8 * PAGE_BYTES)

/* A watcher that refuses ends at once. */
#define END_MILLISECONDS 1000

const char *watcher_refusal(void)
{
	static const char first[] = "pid:[4026531836]"; /* PROC_PID_INIT_INO in the kernel */
	char name[64] = "";
	int adopts = 0;

	if (getpid() == 1)
		return "process 1 would have to wait for its watcher; " REMEDY;
	prctl(PR_GET_CHILD_SUBREAPER, &adopts);
	if (adopts != 0)
		return "it adopts orphans, its own watcher too; " REMEDY;
	if (readlink("/proc/self/ns/pid", name, sizeof(name) - 1) <= 0)
		return "there is no /proc; mount it";
	return strcmp(name, first) == 0 ? NULL : "a container may end before its watcher; " REMEDY;
}

/*
 * A process in between: it exits, so that no parent of the watcher is left that could wait for it.
 * It shares the loader's memory, including thread-local storage, so it makes only system calls.
 */
static int run_between(void *context)
{
	struct making *making = context;

	making->between = (pid_t)raw_syscall0(SYS_getpid);
	making->result = raw_syscall6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
	if (making->result == 0)
		watcher_run(making);
	return 0; /* the C library's clone calls exit */
}

static bool start(struct making *making)
{
	char *stack = memory_map(STACK_BYTES, 0);
	pid_t between = -1;

	if (stack != NULL)
		between = clone(run_between, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK, making);
	if (between > 0)
		raw_syscall6(SYS_wait4, (uint64_t)between, 0, KERNEL_WALL, 0, 0, 0);
	if (stack != NULL)
		munmap(stack, STACK_BYTES);
	if (between > 0 && making->result < 0)
		errno = (int)-making->result;
	return between > 0 && making->result > 0;
}

bool watcher_start(const struct watcher_task *task, struct watcher *watcher)
{
	struct making making = {.task = task, .life = {-1, -1}, .program_id = getpid()};
	int channels[2] = {-1, -1}, reason;
	bool started;

	making.program = (int)syscall(KERNEL_SYS_PIDFD_OPEN, making.program_id, 0);
	started = making.program >= 0 &&
		  socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channels) == 0 &&
		  pipe2(making.life, O_CLOEXEC) == 0 && descriptors_above_standard(channels) &&
		  descriptors_above_standard(making.life);
	making.channel = channels[1];
	started = started && start(&making);
	reason = errno;
	close(making.program);
	close(channels[1]);
	close(making.life[1]);
	if (!started) {
		close(channels[0]);
		close(making.life[0]);
	}
	errno = reason;
	*watcher =
	    (struct watcher){started ? channels[0] : -1, making.life[0], (pid_t)making.result};
	return started;
}

/* Returns the watcher's message, or 0 if the watcher has ended. */
static char hear(const struct watcher *watcher)
{
	char heard = 0;

	while (read(watcher->channel, &heard, 1) < 0 && errno == EINTR)
		;
	return heard;
}

/* Waits for a process that is ending: it exists for a moment after its descriptors are closed. */
static void await_end(const struct watcher *watcher)
{
	struct pollfd process = {.fd = (int)syscall(KERNEL_SYS_PIDFD_OPEN, watcher->process, 0),
				 .events = POLLIN};

	if (process.fd < 0)
		return;
	poll(&process, 1, END_MILLISECONDS);
	close(process.fd);
}

/* Returns NULL, or why the watcher refuses. If it refuses, it has ended. */
static const char *refusal_of(const struct watcher *watcher)
{
	char answer = hear(watcher);

	if (answer == FIT)
		return NULL;
	await_end(watcher);
	return answer == UNFIT
		   ? "its watcher would become the child of a process that adopts orphans and may "
		     "not wait for them; " REMEDY
		   : "its watcher has ended; raise the limit of open files (ulimit -n)";
}

/* Passes the memory to the watcher. Returns NULL, or why that failed. */
static const char *hand_over(const struct watcher *watcher, int more)
{
	const struct holder_start start = {.life = watcher->life};
	const char *refusal = refusal_of(watcher);
	struct held held;
	bool given;

	if (refusal != NULL)
		return refusal;
	if (!hold_memory(&start, &held))
		return strerror(errno);
	given = held_send(watcher->channel, &held, more) && hear(watcher) == FIT;
	held_close(&held);
	if (!given)
		held_end(&held);
	return given ? NULL : "its watcher has ended";
}

const char *watcher_begin(struct watcher *watcher, int more)
{
	const char *reason = hand_over(watcher, more);

	close(watcher->channel);
	close(watcher->life);
	watcher->channel = -1;
	return reason;
}
