#include "loader/profile/hold.h"

#include "common/arch/x86_64/syscall.h"
#include "common/kernel_abi.h"
#include "common/memory_map.h"
#include "common/page.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* hold_page.S: the code on the page that a holder stays on. Position-independent, without a stack.
 */
extern const uint8_t hold_page_code[], hold_page_code_end[];

/*
 * hold_page.S: goes there and stays: says so on descriptor 1, closes it, and waits until nobody can
 * write to the pipe that is descriptor 0 any more. Then this process ends.
 */
_Noreturn void hold_page_enter(const void *page);

#define STACK_BYTES (32 * PAGE_BYTES)

/* Everything that the processes between loader and watcher read, in the loader's memory. */
struct hold {
	void (*watch)(void *context, const struct held *held);
	void *context;
	char *page;   /* the holder's code; */
	char *stacks; /* two, only used until the holder is on its page */
	int program;  /* pidfd of the loader, which becomes the program */
	int kept;
	int life[2];   /* a pipe: the holder ends when the watcher has */
	int placed[2]; /* a pipe: the loader goes on when the holder is on its page */
};

/*
 * Closes all descriptors but these, which become 0, 1 and 2: others may wait for the end of a pipe
 * or a file that one of the rest would keep open.
 */
static void keep_three(int zero, int one, int two)
{
	int copies[3] = {fcntl(zero, F_DUPFD, 3), fcntl(one, F_DUPFD, 3), fcntl(two, F_DUPFD, 3)};

	for (int i = 0; i < 3; i++)
		if (copies[i] < 0 || dup2(copies[i], i) < 0)
			raw_syscall1(SYS_exit_group, 1);
	if (syscall(KERNEL_SYS_CLOSE_RANGE, 3, ~0U, 0) != 0)
		for (int i = 3; i < 1024; i++)
			close(i);
}

static _Noreturn void run_watcher(const struct hold *hold)
{
	const struct held held = {.holder = getppid(), .program = 0};

	/* Whatever is said goes nowhere: a pidfd cannot be written to. */
	keep_three(hold->program, hold->life[1], hold->program);
	hold->watch(hold->context, &held);
	_exit(0);
}

/*
 * The holder. It shares the loader's memory, thread-local storage included: so system calls only.
 */
static int run_holder(void *context)
{
	const struct hold *hold = context;
	uint64_t every_signal = UINT64_MAX;
	long watcher;

	raw_syscall6(SYS_rt_sigprocmask, SIG_BLOCK, (uint64_t)&every_signal, 0, KERNEL_SIGSET_SIZE,
		     0, 0);
	raw_syscall0(SYS_setsid);
	raw_syscall1(SYS_chdir, (uint64_t) "/");
	raw_syscall2(SYS_prctl, PR_SET_NAME, (uint64_t) "page-profile");
	watcher = raw_syscall6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
	if (watcher == 0)
		run_watcher(hold);
	/* Where Yama is in the kernel: the watcher may read this process's memory. */
	raw_syscall2(SYS_prctl, KERNEL_PR_SET_PTRACER, (uint64_t)watcher);
	keep_three(hold->life[0], hold->placed[1], hold->kept >= 0 ? hold->kept : hold->life[0]);
	hold_page_enter(hold->page);
}

/* A process in between, so that the holder has no parent that could wait for it. */
static int run_between(void *context)
{
	const struct hold *hold = context;

	clone(run_holder, hold->stacks + 2 * STACK_BYTES, CLONE_VM | SIGCHLD, context);
	return 0; /* and the C library's clone exits */
}

static bool make_page(struct hold *hold)
{
	uint64_t length = PAGE_BYTES + 2 * STACK_BYTES;

	hold->page = memory_map(length, 0);
	if (hold->page == NULL)
		return false;
	hold->stacks = hold->page + PAGE_BYTES;
	memcpy(hold->page, hold_page_code,
	       (size_t)((const char *)hold_page_code_end - (const char *)hold_page_code));
	if (mprotect(hold->page, PAGE_BYTES, PROT_READ | PROT_EXEC) == 0)
		return true;
	munmap(hold->page, length);
	return false;
}

static void close_pipe(const int pipe[2])
{
	close(pipe[0]);
	close(pipe[1]);
}

static bool make_pipes(struct hold *hold)
{
	if (pipe2(hold->life, O_CLOEXEC) != 0)
		return false;
	if (pipe2(hold->placed, O_CLOEXEC) == 0)
		return true;
	close_pipe(hold->life);
	return false;
}

/* Starts both processes. Whether the holder is where it can stay. */
static bool start(struct hold *hold)
{
	pid_t between =
	    clone(run_between, hold->stacks + STACK_BYTES, CLONE_VM | CLONE_VFORK, hold);
	char byte;
	bool placed;

	/* So that the end of the pipe is seen, should the holder not come so far. */
	close(hold->placed[1]);
	placed = between > 0 && read(hold->placed[0], &byte, 1) == 1;
	close(hold->placed[0]);
	close_pipe(hold->life);
	if (between > 0)
		raw_syscall6(SYS_wait4, (uint64_t)between, 0, KERNEL_WALL, 0, 0, 0);
	return placed;
}

/* Orphans become children of such a process, which might wait for them. */
static bool adopts_orphans(void)
{
	int adopts = 0;

	prctl(PR_GET_CHILD_SUBREAPER, &adopts);
	return adopts != 0 || getpid() == 1;
}

bool hold_memory(void (*watch)(void *context, const struct held *held), void *context, int kept)
{
	struct hold hold = {.watch = watch, .context = context, .kept = kept};
	bool placed;

	errno = ECHILD;
	if (adopts_orphans())
		return false;
	hold.program = (int)syscall(KERNEL_SYS_PIDFD_OPEN, getpid(), 0);
	if (hold.program < 0)
		return false;
	placed = make_page(&hold);
	if (placed) {
		placed = make_pipes(&hold) && start(&hold);
		munmap(hold.stacks, 2 * STACK_BYTES);
		if (!placed)
			munmap(hold.page, PAGE_BYTES);
	}
	close(hold.program);
	return placed;
}
