#include "loader/hold/hold.h"

#include "common/arch/hold_page.h"
#include "common/arch/syscall.h"
#include "common/descriptor.h"
#include "common/kernel_abi.h"
#include "common/kernel_text.h"
#include "common/memory_map.h"
#include "common/page.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES (8 * PAGE_BYTES)

/*
 * The value of hold.state until the holder's filter is in force (0) or could not be installed
 * (-errno).
 */
#define ON_ITS_WAY 1

/* How often the state is checked: first after sched_yield(), then every 100 us. */
#define YIELDS 1000
#define NAPS   20000

/* What the processes that share the memory pass to each other in it. */
struct hold {
	const struct holder_start *start;
	struct held held;
	char *page;   /* the holder's code */
	char *stacks; /* two stacks, used until the holder runs on its page */
	int state;
};

/* The filter allows ppoll(2) on this architecture; any other call kills the holder. */
static const struct kernel_filter_step filter_steps[] = {
    {KERNEL_FILTER_LOAD, 0, 0, offsetof(struct kernel_filter_data, architecture)},
    {KERNEL_FILTER_IF_EQUAL, 1, 0, KERNEL_ARCHITECTURE},
    {KERNEL_FILTER_RETURN, 0, 0, KERNEL_FILTER_KILL},
    {KERNEL_FILTER_LOAD, 0, 0, offsetof(struct kernel_filter_data, number)},
    {KERNEL_FILTER_IF_EQUAL, 0, 1, SYS_ppoll},
    {KERNEL_FILTER_RETURN, 0, 0, KERNEL_FILTER_ALLOW},
    {KERNEL_FILTER_RETURN, 0, 0, KERNEL_FILTER_KILL},
};

static const struct kernel_filter_program filter = {sizeof(filter_steps) / sizeof(filter_steps[0]),
						    filter_steps};

/*
 * The holder shares thread-local storage with the loader: from here on it makes only system calls.
 */

static _Noreturn void fail(struct hold *hold, long result)
{
	__atomic_store_n(&hold->state, (int)result, __ATOMIC_RELEASE);
	for (;;)
		raw_syscall1(SYS_exit_group, 1);
}

static long check(struct hold *hold, long result)
{
	if (result < 0)
		fail(hold, result);
	return result;
}

static int open_own(struct hold *hold, const char *path)
{
	return (int)check(hold, kernel_open(path, O_RDONLY | O_CLOEXEC));
}

/*
 * Makes the kernel send SIGKILL to the victim when the pipe has no writer any more. The writer may
 * have ended before, so the holder checks once. A filter that the loader inherited may deny
 * ppoll(2), in which the holder sleeps; this check finds that out, too.
 */
static void arm_pipe(struct hold *hold)
{
	static const struct timespec at_once;
	struct pollfd pipe = {.fd = hold->start->life};
	uint64_t life = (uint64_t)hold->start->life, victim = (uint64_t)hold->start->victim;

	if (victim == 0)
		victim = (uint64_t)raw_syscall0(SYS_getpid);
	check(hold, raw_syscall3(SYS_fcntl, life, F_SETSIG, SIGKILL));
	check(hold, raw_syscall3(SYS_fcntl, life, F_SETOWN, victim));
	check(hold, raw_syscall3(SYS_fcntl, life, F_SETFL, O_ASYNC));
	if (check(hold, raw_syscall6(SYS_ppoll, (uint64_t)&pipe, 1, (uint64_t)&at_once, 0, 0, 0)) !=
	    0)
		fail(hold, -EPIPE);
}

/*
 * Gives up all rights. The IDs stay: changing them would change whether the shared memory may be
 * dumped (commit_creds() in kernel/cred.c). With a core limit of 1 the kernel writes no core file,
 * and pipes none to a program (do_coredump() in fs/coredump.c).
 */
static void give_up_rights(void)
{
	struct kernel_capability_header header = {.version = KERNEL_CAPABILITY_VERSION};
	struct kernel_capabilities none[2] = {{0}};
	struct rlimit no_core = {1, 1};

	raw_syscall2(SYS_setrlimit, RLIMIT_CORE, (uint64_t)&no_core);
	/* Without it, installing a filter needs a capability. */
	if (raw_syscall6(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0) == 0)
		raw_syscall2(SYS_capset, (uint64_t)&header, (uint64_t)none);
}

static int run_holder(void *context)
{
	struct hold *hold = context;
	uint64_t every_signal = UINT64_MAX;

	check(hold, raw_syscall6(SYS_rt_sigprocmask, SIG_BLOCK, (uint64_t)&every_signal, 0,
				 KERNEL_SIGSET_SIZE, 0, 0));
	if (hold->start->parent != 0)
		raw_syscall2(SYS_prctl, KERNEL_PR_SET_PDEATHSIG, SIGKILL);
	hold->held.maps = open_own(hold, "/proc/self/maps");
	hold->held.pagemap = open_own(hold, "/proc/self/pagemap");
	hold->held.memory = open_own(hold, "/proc/self/mem");
	raw_syscall0(SYS_setsid);
	raw_syscall1(SYS_chdir, (uint64_t) "/");
	raw_syscall2(SYS_prctl, PR_SET_NAME, (uint64_t) "pagewise-hold");
	check(hold, descriptors_keep_one(hold->start->life));
	arm_pipe(hold);
	give_up_rights();
	hold_page_enter(hold->page, &filter, &hold->state);
}

/*
 * CLONE_UNTRACED: a debugger would remove its breakpoints from a forked child, and this child
 * shares the memory.
 */
static long start_holder(struct hold *hold, int parent)
{
	hold->held.holder = clone(run_holder, hold->stacks + 2 * STACK_BYTES,
				  CLONE_VM | CLONE_FILES | CLONE_UNTRACED | parent | SIGCHLD, hold);
	return hold->held.holder < 0 ? -errno : 0;
}

/*
 * A process in between: it exits, so that no parent of the holder is left that could wait for it.
 */
static int run_between(void *context)
{
	struct hold *hold = context;
	long result = start_holder(hold, 0);

	if (result < 0)
		hold->state = (int)result;
	return 0; /* the C library's clone calls exit */
}

/* Runs in the loader. */

static bool start_orphan(struct hold *hold)
{
	pid_t between = clone(run_between, hold->stacks + STACK_BYTES,
			      CLONE_VM | CLONE_VFORK | CLONE_FILES, hold);

	if (between < 0)
		return false;
	raw_syscall6(SYS_wait4, (uint64_t)between, 0, KERNEL_WALL, 0, 0, 0);
	return true;
}

/* If memory must not become executable (PR_SET_MDWE), the page is mapped from a file in memory. */
static bool map_code(void *page, const void *code, size_t length)
{
	int file = (int)syscall(SYS_memfd_create, "hold", KERNEL_MFD_CLOEXEC);
	bool mapped =
	    file >= 0 && write(file, code, length) == (ssize_t)length &&
	    mmap(page, PAGE_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, 0) == page;

	if (file >= 0)
		close(file);
	return mapped;
}

static bool make_page(struct hold *hold)
{
	uint64_t length = PAGE_BYTES + 2 * STACK_BYTES;
	size_t code_length = (size_t)(hold_page_code_end - hold_page_code);

	hold->page = memory_map(length, 0);
	if (hold->page == NULL)
		return false;
	hold->stacks = hold->page + PAGE_BYTES;
	memcpy(hold->page, hold_page_code, code_length);
	if (mprotect(hold->page, PAGE_BYTES, PROT_READ | PROT_EXEC) == 0 ||
	    map_code(hold->page, hold_page_code, code_length))
		return true;
	munmap(hold->page, length);
	return false;
}

/* Waits until the filter is in force. Returns 0, or -errno. */
static int wait_for_filter(const struct hold *hold)
{
	static const struct timespec nap = {.tv_nsec = 100 * 1000};

	for (unsigned i = 0; i < YIELDS + NAPS; i++) {
		int state = __atomic_load_n(&hold->state, __ATOMIC_ACQUIRE);

		if (state != ON_ITS_WAY)
			return state;
		if (i < YIELDS)
			sched_yield();
		else
			nanosleep(&nap, NULL);
	}
	return -ETIMEDOUT;
}

/* After a failure the page and the stacks stay mapped: the holder may still be running. */
bool hold_memory(const struct holder_start *start, struct held *held)
{
	struct hold hold = {.start = start, .held = {0, -1, -1, -1, -1}};
	int result;

	hold.state = ON_ITS_WAY;
	hold.held.caller_maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (hold.held.caller_maps < 0 || !make_page(&hold))
		return false;
	if (start->parent != 0 ? start_holder(&hold, CLONE_PARENT) < 0 : !start_orphan(&hold)) {
		munmap(hold.page, PAGE_BYTES + 2 * STACK_BYTES);
		close(hold.held.caller_maps);
		return false;
	}
	result = wait_for_filter(&hold);
	*held = hold.held;
	if (result == 0) {
		munmap(hold.stacks, 2 * STACK_BYTES);
		return true;
	}
	held_close(held);
	held_end(held);
	held->holder = 0;
	errno = -result;
	return false;
}
