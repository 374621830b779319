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
#define RESIDENT_STACK_BYTES 1024
uint8_t resident_stack[RESIDENT_STACK_BYTES] __attribute__((aligned(16)));

uint64_t resident_launch_program(void);

static void say(const struct launch *launch, const char *text)
{
	char line[2 * sizeof(launch->name)];
	uint64_t length = 0;

	if (!launch->verbose)
		return;
	for (const char *p = launch->name; *p != '\0' && length < sizeof(line);)
		line[length++] = *p++;
	for (const char *p = text; *p != '\0' && length < sizeof(line);)
		line[length++] = *p++;
	raw_syscall3(SYS_write, 2, (uint64_t)line, length);
}

/* `rep movsb` and `rep stosb`: short, and fast on every processor of the last ten years. */
static void copy_bytes(uint64_t to, const uint8_t *from, uint64_t length)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(length) : : "memory");
}

static void clear_bytes(uint64_t from, uint64_t end)
{
	uint64_t length = end - from;

	__asm__ volatile("rep stosb" : "+D"(from), "+c"(length) : "a"(0) : "memory");
}

/*
 * Puts the program's stack where the kernel would have put it, over the loader's own arguments,
 * and gives back what the loader used of the stack below: the kernel hands out zeroed memory.
 */
static void write_stack(const struct launch *launch)
{
	uint64_t tables_end = launch->stack_pointer + launch->tables_length;
	uint64_t boundary = page_floor(launch->stack_pointer);

	copy_bytes(launch->strings, launch->stack_image + launch->tables_length,
		   launch->strings_length);
	clear_bytes(tables_end, launch->strings);
	copy_bytes(launch->stack_pointer, launch->stack_image, launch->tables_length);
	clear_bytes(boundary, launch->stack_pointer);
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
	if (launch->is_child) {
		raw_syscall2(SYS_prctl, KERNEL_PR_SET_PDEATHSIG, SIGKILL);
		raw_syscall6(SYS_rt_sigaction, SIGCHLD, (uint64_t)&launch->sigchld, 0,
			     KERNEL_SIGSET_SIZE, 0, 0);
	}
	if (launch->pages)
		resident_pager_arm(&resident_pager, launch->alternate_stack,
				   launch->alternate_stack_length);
	raw_syscall1(SYS_set_tid_address, 0);
	raw_syscall2(SYS_arch_prctl, KERNEL_ARCH_SET_FS, 0);
	if (launch->heap.start < launch->heap.end)
		raw_syscall2(SYS_munmap, launch->heap.start, launch->heap.end - launch->heap.start);
	raw_syscall6(SYS_rt_sigprocmask, SIG_SETMASK, (uint64_t)&launch->signal_mask, 0,
		     KERNEL_SIGSET_SIZE, 0, 0);
	resident_entry = launch->entry;
	resident_stack_pointer = launch->stack_pointer;
	return launch->departure_stub;
}
