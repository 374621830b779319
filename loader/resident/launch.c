#include "loader/resident/launch.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "common/page.h"
#include "loader/resident/arch/entry.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/executable.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/base/order.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/pager/rewrite.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/signals/signal_calls.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/threads/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>

struct launch resident_launch;
uint64_t (*launch_function)(void);

/* The stack of the launch: entry.S sets the stack pointer to the end of this array. */
uint8_t launch_stack[2048] __attribute__((aligned(16)));

/* The assertions are in this file because it may include every header that they need. */
#define NUMBER(name, value, meaning) _Static_assert((meaning) == (value), #name);
#include "loader/resident/arch/numbers.def"

static void say(const struct launch *launch, const char *text)
{
	char line[2 * sizeof(launch->name)];
	uint64_t length;

	if (!launch->verbose)
		return;
	length = bytes_append(line, 0, sizeof(line), launch->name);
	length = bytes_append(line, length, sizeof(line), text);
	raw_syscall3(SYS_write, 2, (uint64_t)line, length);
}

/*
 * Puts the program's stack where the kernel would have put it, over the loader's own arguments. The
 * part below, which the loader has used, is cleared or dropped: the kernel gives a program zeroed
 * memory.
 */
static void write_stack(const struct launch *launch)
{
	uint64_t boundary = page_floor(launch->stack_pointer);

	stack_image_place(launch->stack, launch->stack_bytes);
	bytes_clear((void *)boundary, launch->stack_pointer - boundary);
	if (launch->stack_used < boundary)
		raw_syscall3(SYS_madvise, launch->stack_used, boundary - launch->stack_used,
			     MADV_DONTNEED);
}

static long set_map(const struct launch *launch)
{
	return raw_syscall6(SYS_prctl, KERNEL_PR_SET_MM, KERNEL_PR_SET_MM_MAP,
			    (uint64_t)&launch->identity, sizeof(launch->identity), 0, 0);
}

static void unmap(struct address_range range)
{
	raw_syscall2(SYS_munmap, range.start, range.end - range.start);
}

/* Unmaps the loader's file, which also contains the resident code that was left out. */
static void unmap_file(struct launch *launch)
{
	launch->left_out = NULL;
	unmap(launch->file);
}

/*
 * The flags of a child in a new user namespace that shares everything else it can with this
 * process.
 */
#define NAMESPACE_CHILD (CLONE_NEWUSER | CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_SIGHAND)

/*
 * Changes /proc/self/exe, in the child. The kernel reports that the loader's file is still mapped
 * (EBUSY) only to a caller with the privilege. Only then is the file unmapped, which also unmaps it
 * for the parent.
 */
static _Noreturn void set_map_in_child(void *argument)
{
	struct launch *launch = argument;
	long result = set_map(launch);

	if (result == -EBUSY) {
		unmap_file(launch);
		result = set_map(launch);
	}
	for (;;)
		raw_syscall1(SYS_exit, result != 0);
}

/*
 * Changing /proc/self/exe needs a capability in the caller's own user namespace. A process that may
 * create a user namespace has the capability there (user_namespaces(7)). A child that shares this
 * memory can change the file for its parent. On overlayfs the kernel does not report EBUSY to the
 * child, so the loader's file is unmapped in any case. Returns 0 or -errno.
 */
static long set_map_by_child(struct launch *launch)
{
	long child = entry_in_child(NAMESPACE_CHILD, set_map_in_child, launch);
	int status = 1; /* stays 1 if a filter denies wait4 */

	if (child < 0)
		return child;
	raw_syscall6(SYS_wait4, (uint64_t)child, (uint64_t)&status, KERNEL_WALL, 0, 0, 0);
	if (status != 0)
		return -EPERM;
	unmap_file(launch);
	return 0;
}

/*
 * Copies the left-out resident code that a guard needs. Returns false if the loader's file is
 * unmapped.
 */
static bool bring_left_out(const struct launch *launch)
{
	uint64_t start = launch->left_out_to, end = page_ceil((uint64_t)resident_guard_end);
	uint64_t length = end - start;

	if (start >= end)
		return true;
	if (launch->left_out == NULL ||
	    raw_syscall3(SYS_mprotect, start, length, PROT_READ | PROT_WRITE) != 0)
		return false;
	bytes_copy((void *)start, launch->left_out, length);
	return raw_syscall3(SYS_mprotect, start, length, PROT_READ | PROT_EXEC) == 0;
}

/* Reads the path of the program's file from its descriptor. Returns false if there is none. */
static bool read_executable(int descriptor)
{
	char name[32] = {0};
	uint64_t length = bytes_append(name, 0, sizeof(name), "/proc/self/fd/");

	bytes_append_number(name, length, sizeof(name), (uint64_t)descriptor);
	return raw_syscall6(SYS_readlinkat, (uint64_t)AT_FDCWD, (uint64_t)name,
			    (uint64_t)resident_guard.executable, PATH_BYTES - 1, 0, 0) > 0;
}

/* Whether calls that ask for the program's own file have to be answered. */
static bool finds_name(struct launch *launch)
{
	return resident_guard.active && bring_left_out(launch) &&
	       (launch->has_interpreter || executable_is_wanted(launch->executable)) &&
	       read_executable(launch->executable);
}

/* Continues without a changed /proc/self/exe. */
static long set_map_without(struct launch *launch, long reason)
{
	say(launch, reason == -EPERM
			? "/proc/self/exe stays the loader's: changing it takes "
			  "CAP_CHECKPOINT_RESTORE, CAP_SYS_ADMIN or a user "
			  "namespace\n"
			: "/proc/self/exe stays the loader's: the kernel refused to change it\n");
	resident_guard.names_executable = finds_name(launch);
	unmap_file(launch);
	launch->identity.exe_fd = KERNEL_NO_EXE;
	return set_map(launch);
}

/*
 * Sets brk, the argument areas, the auxiliary vector and, if permitted, /proc/self/exe. The kernel
 * changes /proc/self/exe only when no page of the old executable is mapped any more. So this has to
 * wait until now.
 */
static void take_identity(struct launch *launch)
{
	long result;

	if (launch->asks_child) {
		result = set_map_by_child(launch);
	} else {
		unmap_file(launch);
		result = set_map(launch);
	}
	if (result != 0 && launch->identity.exe_fd != KERNEL_NO_EXE)
		result = set_map_without(launch, result);
	if (result != 0)
		say(launch, "brk, /proc/self/cmdline, environ and auxv stay the loader's: "
			    "allow prctl(PR_SET_MM_MAP), CONFIG_CHECKPOINT_RESTORE\n");
	if (launch->executable >= 0 && !launch->executable_stays)
		raw_syscall1(SYS_close, (uint64_t)launch->executable);
}

/*
 * After the commit point there is no caller to return an error to. Only a filter of system calls
 * that the loader was started under, or an emulator, can cause this. The program has not started.
 */
static _Noreturn void give_up(struct launch *launch)
{
	launch->verbose = true;
	say(launch, "no handler can be installed: rt_sigaction or sigaltstack is denied; "
		    "allow it, or use all_at_once_loader\n");
	for (;;)
		raw_syscall1(SYS_exit_group, 125);
}

/*
 * Installs the handlers, on a stack of their own, and intercepts system calls. The blocked and
 * ignored signals that the program inherited remain visible to the program.
 */
static void arm(struct launch *launch)
{
	struct thread *thread = launch->first.thread;
	struct kernel_stack stack = thread_stack(thread);

	state_new(thread);
	thread->process = &resident_process;
	state_enter(thread);
	if (resident_guard.active && thread_intercept(thread, true) != 0) {
		laziness_end(RETIRE_FAILURE, 0);
		return;
	}
	if (raw_syscall2(SYS_sigaltstack, (uint64_t)&stack, 0) != 0 ||
	    !signal_calls_arm(&resident_process, resident_guard.active))
		give_up(launch);
	if (!resident_guard.active)
		return;
	if (REWRITES)
		rewrite_begin();
	thread->blocked = launch->signal_mask & MANAGED_SIGNALS;
	launch->signal_mask &= ~MANAGED_SIGNALS;
}

/*
 * No resident code will run again. A fork need not copy the resident pages that cannot be unmapped.
 */
static void lie_idle(const struct launch *launch)
{
	if (launch->first.area.start != 0)
		unmap(launch->first.area);
	if (launch->departure_stub == 0)
		raw_syscall3(SYS_madvise, launch->area.start, launch->area.end - launch->area.start,
			     MADV_DONTFORK);
}

/* Called after the kernel has read the auxiliary vector (take_identity), which proc(5) shows. */
static void write_words(const struct launch_word *word)
{
	for (; word != NULL && word->at != NULL; word++)
		*word->at = word->for_interpreter;
}

uint64_t launch_program(void)
{
	struct launch *launch = &resident_launch;

	write_stack(launch);
	for (unsigned i = 0; i < launch->range_count; i++)
		unmap(launch->unmap[i]);
	take_identity(launch);
	write_words(launch->words);
	if (guard_mode() != MODE_LEAVES)
		arm(launch);
	else
		lie_idle(launch);
	raw_syscall1(SYS_set_tid_address, 0);
	entry_clear_thread_pointer();
	if (launch->heap.start < launch->heap.end)
		unmap(launch->heap);
	if (launch->pauses)
		pause_for_debugger(launch->name);
	kernel_mask(SIG_SETMASK, launch->signal_mask);
	return guard_mode_at_rest() == MODE_LEAVES ? launch->departure_stub : 0;
}
