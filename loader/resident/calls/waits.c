/* Which system calls may wait for another thread of the program. */
#include "loader/resident/calls/waits.h"

#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/birth.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

/* Signals do not interrupt getrandom(2) before it has returned this many bytes. */
#define WHOLE_RANDOM_BYTES 256

/* A pipe takes a write of up to this many bytes whole or not at all: PIPE_BUF of pipe(7). */
#define PIPE_BYTES 4096

/* The most buffers of a writev that bytes_of() reads. */
#define BUFFERS_MAX 8

static bool futex_waits(const struct call *call)
{
	switch ((uint32_t)call->arguments[1] & KERNEL_FUTEX_COMMAND) {
	case KERNEL_FUTEX_WAIT:
	case KERNEL_FUTEX_LOCK_PI:
	case KERNEL_FUTEX_WAIT_BITSET:
	case KERNEL_FUTEX_WAIT_REQUEUE_PI:
	case KERNEL_FUTEX_LOCK_PI2:
		return true;
	default:
		return false;
	}
}

static bool fcntl_waits(const struct call *call)
{
	uint32_t command = (uint32_t)call->arguments[1];

	return command == F_SETLK || command == F_SETLKW || command == F_GETLK ||
	       command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

/* isatty() and a C library's first output make two terminal requests, which never wait. */
static bool ioctl_waits(const struct call *call)
{
	uint32_t command = (uint32_t)call->arguments[1];

	return command != TCGETS && command != TIOCGWINSZ;
}

/*
 * The number of bytes in the array of buffers of a writev. If it cannot be determined, the result
 * is larger than a pipe.
 */
static uint64_t bytes_of(const struct call *call)
{
	struct iovec buffers[BUFFERS_MAX];
	uint64_t count = call->arguments[2], bytes = 0;

	if (count > BUFFERS_MAX ||
	    gadget_copy(buffers, (const void *)call->arguments[1], count * sizeof(buffers[0])) != 0)
		return UINT64_MAX;
	for (uint64_t i = 0; i < count; i++)
		if (__builtin_add_overflow(bytes, buffers[i].iov_len, &bytes))
			return UINT64_MAX;
	return bytes;
}

/*
 * Output that a program prints while its threads work need not end lazy paging. A pipe takes up to
 * PIPE_BYTES whole or not at all (pipe(7)), so a write that waits there can be interrupted and made
 * again.
 */
static bool write_waits(const struct call *call, uint64_t bytes)
{
	struct stat about = {.st_mode = 0};

	if (bytes > PIPE_BYTES ||
	    raw_syscall2(SYS_fstat, call->arguments[0], (uint64_t)&about) != 0)
		return true;
	return !S_ISFIFO(about.st_mode) && !S_ISCHR(about.st_mode);
}

static bool mmap_waits(const struct call *call)
{
	return (call->arguments[3] & (MAP_POPULATE | MAP_ANONYMOUS)) == MAP_POPULATE;
}

/* Some kinds of advice read or write the mapped file. */
static bool madvise_waits(const struct call *call)
{
	switch ((int)call->arguments[2]) {
	case MADV_WILLNEED:
	case MADV_REMOVE:
	case KERNEL_MADV_PAGEOUT:
	case KERNEL_MADV_POPULATE_READ:
	case KERNEL_MADV_POPULATE_WRITE:
	case KERNEL_MADV_COLLAPSE:
		return true;
	default:
		return false;
	}
}

uint64_t waits_sent(const struct call *call)
{
	bool names_both = call->number == SYS_tgkill || call->number == SYS_rt_tgsigqueueinfo;
	int number = (int)call->arguments[names_both ? 2 : 1];

	return number > 0 && number <= SIGNAL_MAX ? KERNEL_SIGNAL_BIT(number) : 0;
}

/* The caller waits until the child has called execve or exit. */
static bool clone_waits(const struct call *call)
{
	return (birth_flags(call) & CLONE_VFORK) != 0;
}

bool waits_may_wait(const struct system_call *kind, const struct call *call)
{
	switch ((enum call_action)kind->action) {
#define ACTION(name, waits, ...)                                                                   \
	case CALL_##name:                                                                          \
		return waits;
#include "loader/resident/calls/actions.def"
	}
	return true;
}

/* Whether a call waits on a futex without a time limit. Only another thread ends such a call. */
static bool waits_for_waker(const struct system_call *kind, const struct call *call)
{
	uint32_t command = (uint32_t)call->arguments[1] & KERNEL_FUTEX_COMMAND;

	return kind->action == CALL_FUTEX && call->arguments[3] == 0 &&
	       (command == KERNEL_FUTEX_WAIT || command == KERNEL_FUTEX_WAIT_BITSET);
}

/* PR_SET_NO_NEW_PRIVS is usually followed by a filter, so it gets the turn of one. */
enum leaving_turn waits_turn(const struct system_call *kind, const struct call *call)
{
	if (kind->action == CALL_LEAVE ||
	    (kind->action == CALL_PRCTL && (int)call->arguments[0] == PR_SET_NO_NEW_PRIVS))
		return TURN_FILTERS;
	return waits_for_waker(kind, call) ? TURN_SLEEPS : TURN_GOES_ON;
}
