/*
 * Files of procfs, which could show the program the loader's handlers, hidden pages and descriptor.
 */
#include "loader/resident/calls/proc_files.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "common/page.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/old_calls.h"
#include "loader/resident/pager/pages.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/statfs.h>

static bool is_proc(long result, const struct statfs *status)
{
	return result == 0 && status->f_type == KERNEL_PROC_MAGIC;
}

/*
 * Checks and closes an O_PATH descriptor, which names a file without opening it. `file` may be
 * -errno.
 */
static bool is_proc_place(long file)
{
	struct statfs status;
	bool found;

	if (file < 0)
		return false;
	found = is_proc(raw_syscall2(SYS_fstatfs, (uint64_t)file, (uint64_t)&status), &status);
	raw_syscall1(SYS_close, (uint64_t)file);
	return found;
}

/* openat2 has flags for how names are looked up, for example as if the directory were the root. */
static bool is_proc_as_told(const struct call *call)
{
	uint64_t how[3]; /* struct open_how: flags, mode, resolve */

	if (gadget_copy(how, (const void *)call->arguments[2], sizeof(how)) != 0)
		return false;
	how[0] = O_PATH | O_CLOEXEC;
	how[1] = 0;
	return is_proc_place(raw_syscall6(KERNEL_SYS_OPENAT2, call->arguments[0],
					  call->arguments[1], (uint64_t)how, sizeof(how), 0, 0));
}

bool proc_file_is_named(const struct call *call)
{
	bool is_open = call->number == SYS_open;
	uint64_t path = call->arguments[is_open ? 0 : 1];
	struct statfs status;
	char first;

	pages_reveal(&resident_pager, path, PAGE_BYTES);
	if (gadget_copy(&first, (const void *)path, 1) != 0)
		return false;
	if (call->number == KERNEL_SYS_OPENAT2)
		return is_proc_as_told(call);
	if (!is_open && (int)call->arguments[0] != AT_FDCWD && first != '/')
		return is_proc_place(
		    raw_syscall3(SYS_openat, call->arguments[0], path, O_PATH | O_CLOEXEC));
	return is_proc(raw_syscall2(SYS_statfs, path, (uint64_t)&status), &status);
}
