#include "loader/resident/launch.h"
#include "common/arch/x86_64/syscall.h"
#include "common/page.h"
#include "loader/resident/pager.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

struct launch resident_launch;
uint64_t resident_entry, resident_stack_pointer;
uint64_t resident_loader_start, resident_loader_length;

/* Where entry.S puts the stack pointer before it calls resident_launch_program(). */
uint8_t resident_stack[4096] __attribute__((aligned(16)));

uint64_t resident_launch_program(void);

static void say(const struct launch *launch, const char *text)
{
	char line[256];
	uint64_t length = 0;

	if (!launch->verbose)
		return;
	for (const char *p = launch->name; *p != '\0' && length < sizeof(line);)
		line[length++] = *p++;
	for (const char *p = text; *p != '\0' && length < sizeof(line);)
		line[length++] = *p++;
	raw_syscall3(SYS_write, 2, (uint64_t)line, length);
}

/*
 * Puts the program's stack where the kernel would have put it, over the loader's own arguments,
 * and gives back what the loader used of the stack below: the kernel hands out zeroed memory.
 */
static void write_stack(const struct launch *launch)
{
	uint8_t *to = (uint8_t *)launch->stack_pointer;
	uint64_t boundary = page_floor(launch->stack_pointer);

	for (uint64_t i = 0; i < launch->stack_image_length; i++)
		to[i] = launch->stack_image[i];
	for (uint8_t *p = (uint8_t *)boundary; p < to; p++)
		*p = 0;
	if (launch->stack_used < boundary)
		raw_syscall3(SYS_madvise, launch->stack_used, boundary - launch->stack_used,
			     MADV_DONTNEED);
}

static long set_map(const struct kernel_mm_map *map)
{
	return raw_syscall6(SYS_prctl, KERNEL_PR_SET_MM, KERNEL_PR_SET_MM_MAP, (uint64_t)map,
			    sizeof(*map), 0, 0);
}

/*
 * brk, the argument areas, the auxiliary vector and, where that is permitted, /proc/self/exe. The
 * kernel replaces the last one only when nothing of the old executable is mapped any more, which
 * is why this has to wait until now.
 */
static void take_identity(struct launch *launch)
{
	struct kernel_mm_map *map = &launch->identity;
	long result = set_map(map);

	if (result != 0 && map->exe_fd != KERNEL_NO_EXE) {
		say(launch, result == -EPERM
				? "/proc/self/exe stays the loader's: changing it takes "
				  "CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN\n"
				: "/proc/self/exe stays the loader's: the kernel refused to "
				  "change it\n");
		map->exe_fd = KERNEL_NO_EXE;
		result = set_map(map);
	}
	if (result != 0)
		say(launch, "brk, /proc/self/cmdline, environ and auxv stay the loader's: "
			    "prctl(PR_SET_MM_MAP) failed\n");
	if (launch->executable >= 0)
		raw_syscall1(SYS_close, (uint64_t)launch->executable);
}

/*
 * The last C function of the loader. Returns the address of the departure stub, or 0 if resident
 * code stays; entry.S does the rest.
 */
uint64_t resident_launch_program(void)
{
	struct launch *launch = &resident_launch;

	write_stack(launch);
	for (unsigned i = 0; i < launch->range_count; i++)
		raw_syscall2(SYS_munmap, launch->unmap[i].start,
			     launch->unmap[i].end - launch->unmap[i].start);
	take_identity(launch);
	if (launch->ignore_sigchld) {
		struct kernel_sigaction ignore = {.handler = KERNEL_SIG_IGN};

		raw_syscall6(SYS_rt_sigaction, SIGCHLD, (uint64_t)&ignore, 0, KERNEL_SIGSET_SIZE, 0,
			     0);
	}
	if (launch->pages)
		resident_pager_arm(&resident_pager, launch->alternate_stack,
				   launch->alternate_stack_length);
	raw_syscall1(SYS_set_tid_address, 0);
	raw_syscall2(SYS_arch_prctl, KERNEL_ARCH_SET_FS, 0);
	raw_syscall6(SYS_rt_sigprocmask, SIG_SETMASK, (uint64_t)&launch->signal_mask, 0,
		     KERNEL_SIGSET_SIZE, 0, 0);
	resident_entry = launch->entry;
	resident_stack_pointer = launch->stack_pointer;
	return launch->departure_stub;
}
