/*
 * Handles calls that name the program's own file in /proc. Without privilege /proc/self/exe cannot
 * be changed, so the kernel would show the loader's file there. The path used instead is the file's
 * path at load time. After exec, by contrast, /proc/self/exe continues to mean the file even after
 * it has been moved.
 */
#include "loader/resident/calls/executable.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/old_calls.h"
#include "loader/resident/calls/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

/* "/proc/thread-self/exe" and its NUL are 22 bytes; "/proc/4194304/exe" is shorter. */
#define NAME_BYTES 24

/* O_ACCMODE as the kernel defines it; musl's includes O_PATH. */
#define ACCESS_MODE 3

/* Bytes of the program's file that are searched at a time: resident code has a small stack. */
#define SEARCH_BYTES 1024

/*
 * A longer file is not searched to its end, which may take long. It is treated as containing a
 * name.
 */
#define SEARCH_MAX (UINT64_C(64) << 20)

/* The text after a prefix. NULL if `text` is NULL or does not start with the prefix. */
static const char *skip(const char *text, const char *prefix)
{
	while (text != NULL && *prefix != '\0')
		if (*text++ != *prefix++)
			return NULL;
	return text;
}

/*
 * Whether a constant of the program starts like the /proc name of its own file, or of some
 * process's.
 */
static bool begins_name(const char *text)
{
	const char *who = skip(text, "/proc/");

	return skip(who, "%") != NULL || skip(who, "self/exe") != NULL ||
	       skip(who, "thread-self/exe") != NULL;
}

bool executable_is_wanted(int descriptor)
{
	char bytes[SEARCH_BYTES + NAME_BYTES];
	uint64_t at = 0;
	long got;

	while (at < SEARCH_MAX &&
	       (got = raw_syscall6(SYS_pread64, (uint64_t)descriptor, (uint64_t)bytes,
				   SEARCH_BYTES + NAME_BYTES - 1, at, 0, 0)) > 0) {
		bytes[got] = '\0';
		for (long i = 0; i < got && i < SEARCH_BYTES; i++)
			if (bytes[i] == '/' && begins_name(&bytes[i]))
				return true;
		at += SEARCH_BYTES;
	}
	return at >= SEARCH_MAX;
}

/*
 * The text after this process's ID in decimal. NULL if `text` is NULL or does not start with the
 * ID.
 */
static const char *skip_process(const char *text)
{
	char number[NAME_BYTES];
	uint64_t length =
	    bytes_append_number(number, 0, sizeof(number) - 1, (uint64_t)raw_syscall0(SYS_getpid));

	number[length] = '\0';
	return skip(text, number);
}

/* Whether a path that the program passed names the loader's file in /proc. */
static bool is_our_name(uint64_t address)
{
	char path[NAME_BYTES];
	const char *who, *rest;
	unsigned length = 0;

	/* Read byte by byte: memory may end right after the path. */
	do
		if (length == sizeof(path) ||
		    gadget_copy(&path[length], (const char *)address + length, 1) != 0)
			return false;
	while (path[length++] != '\0');
	who = skip(path, "/proc/");
	if ((rest = skip(who, "self")) == NULL && (rest = skip(who, "thread-self")) == NULL)
		rest = skip_process(who);
	rest = skip(rest, "/exe");
	return rest != NULL && *rest == '\0';
}

/* The result of readlink: the path, cut to the length of the program's buffer. */
static long read_link(uint64_t buffer, uint64_t room)
{
	uint64_t length = 0;

	if ((int)room <= 0)
		return -EINVAL;
	while (resident_guard.executable[length] != '\0' && length < room)
		length++;
	return gadget_copy((void *)buffer, resident_guard.executable, length) != 0 ? -EFAULT
										   : (long)length;
}

/* The argument that holds the path, for calls that follow links. NULL for calls that do not. */
static uint64_t *path_argument(struct call *call)
{
	uint64_t *arguments = call->arguments;

	switch (call->number) {
	case SYS_open:
		return (arguments[1] & O_NOFOLLOW) ? NULL : &arguments[0];
	case SYS_stat:
	case SYS_statfs:
	case SYS_access:
	case SYS_execve:
	case SYS_readlink:
		return &arguments[0];
	case SYS_openat:
		return (arguments[2] & O_NOFOLLOW) ? NULL : &arguments[1];
	case SYS_statx:
		return (arguments[2] & AT_SYMLINK_NOFOLLOW) ? NULL : &arguments[1];
	case SYS_newfstatat:
		return (arguments[3] & AT_SYMLINK_NOFOLLOW) ? NULL : &arguments[1];
	case SYS_execveat:
		return (arguments[4] & AT_SYMLINK_NOFOLLOW) ? NULL : &arguments[1];
	case KERNEL_SYS_OPENAT2:
	case SYS_faccessat:
	case KERNEL_SYS_FACCESSAT2:
	case SYS_readlinkat:
		return &arguments[1];
	default:
		return NULL;
	}
}

/* The file of a running program cannot be opened for writing (ETXTBSY). */
static bool opens_to_write(const struct call *call)
{
	uint64_t flags = call->arguments[call->number == SYS_open ? 1 : 2];

	return (call->number == SYS_open || call->number == SYS_openat) && (flags & O_PATH) == 0 &&
	       ((flags & ACCESS_MODE) != O_RDONLY || (flags & O_TRUNC));
}

bool executable_answers(struct call *call, long *result)
{
	uint64_t *path = path_argument(call);

	if (path == NULL || !is_our_name(*path))
		return false;
	if (call->number == SYS_readlink || call->number == SYS_readlinkat) {
		*result = read_link(path[1], path[2]);
		return true;
	}
	if (opens_to_write(call)) {
		*result = raw_syscall3(SYS_faccessat, (uint64_t)AT_FDCWD,
				       (uint64_t)resident_guard.executable, W_OK);
		if (*result == 0)
			*result = -ETXTBSY;
		return true;
	}
	*path = (uint64_t)resident_guard.executable;
	return false;
}
