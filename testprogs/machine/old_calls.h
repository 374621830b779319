/*
 * machine/old_calls.h: for guests that make system calls which arm64 and riscv64 do not have.
 * There, the later form of the call is made.
 */
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef SYS_open
#define CALL_OPEN(path, flags)	 syscall(SYS_open, path, flags)
#define CALL_STAT(path, status)	 syscall(SYS_stat, path, status)
#define CALL_LSTAT(path, status) syscall(SYS_lstat, path, status)
#define CALL_SELECT(...)	 syscall(SYS_select, __VA_ARGS__)
#define CALL_EPOLL_WAIT(...)	 syscall(SYS_epoll_wait, __VA_ARGS__)
#else
#define CALL_OPEN(path, flags)	syscall(SYS_openat, AT_FDCWD, path, flags)
#define CALL_STAT(path, status) syscall(SYS_newfstatat, AT_FDCWD, path, status, 0)
#define CALL_LSTAT(path, status)                                                                   \
	syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW)
#define CALL_SELECT(...)     syscall(SYS_pselect6, __VA_ARGS__, NULL)
#define CALL_EPOLL_WAIT(...) syscall(SYS_epoll_pwait, __VA_ARGS__, NULL, 8)
#endif

static inline long call_time(void *seconds)
{
#ifdef SYS_time
	return syscall(SYS_time, seconds);
#else
	return (long)time(seconds);
#endif
}
