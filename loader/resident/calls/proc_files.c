/* Files of procfs, in which the program could see our handlers, hidden pages and descriptor. */
#include "loader/resident/calls/parts.h"

#include "common/arch/x86_64/syscall.h"
#include "common/page.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/pager/pages.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/statfs.h>

#define PROC_MAGIC 0x9fa0 /* linux/magic.h: PROC_SUPER_MAGIC */

static bool is_proc(long result, const struct statfs *status)
{
	return result == 0 && status->f_type == PROC_MAGIC;
}

/* Below a directory that is open. A descriptor that holds the place only (O_PATH) opens nothing. */
static bool is_proc_below(uint64_t directory, uint64_t path)
{
	struct statfs status;
	long file = raw_syscall3(SYS_openat, directory, path, O_PATH | O_CLOEXEC);
	bool found;

	if (file < 0)
		return false;
	found = is_proc(raw_syscall2(SYS_fstatfs, (uint64_t)file, (uint64_t)&status), &status);
	raw_syscall1(SYS_close, (uint64_t)file);
	return found;
}

bool proc_file_is_named(const struct kernel_registers *registers)
{
	bool is_open = registers->rax == SYS_open;
	uint64_t path = is_open ? registers->rdi : registers->rsi;
	struct statfs status;
	char first;

	pages_reveal(&resident_pager, path, PAGE_BYTES);
	if (gadget_copy(&first, (const void *)path, 1) != 0)
		return false;
	if (!is_open && (int)registers->rdi != AT_FDCWD && first != '/')
		return is_proc_below(registers->rdi, path);
	return is_proc(raw_syscall2(SYS_statfs, path, (uint64_t)&status), &status);
}
