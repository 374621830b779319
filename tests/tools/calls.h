/* calls.h: for tools that make system calls fail: the names of calls and of errors. */
#pragma once

#include "common/kernel_abi.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

struct call {
	const char *name;
	unsigned number, selector; /* index of the argument that selects what the call does */
};

static const struct call calls[] = {
    {"madvise", SYS_madvise, 2},
    {"prctl", SYS_prctl, 0},
    {"clone", SYS_clone, 0},
    {"clone3", SYS_clone3, 1},
    {"ioctl", SYS_ioctl, 1},
    {"userfaultfd", SYS_userfaultfd, 0},
    {"faccessat2", KERNEL_SYS_FACCESSAT2, 3},
    {"mremap", SYS_mremap, 3},
    {"memfd_create", SYS_memfd_create, 1},
    {"clock_gettime", SYS_clock_gettime, 0},
    {"mmap", SYS_mmap, 0},
    {"mprotect", SYS_mprotect, 0},
    {"munmap", SYS_munmap, 0},
    {"pread64", SYS_pread64, 0},
    {"openat", SYS_openat, 2},
    {"fstat", SYS_fstat, 0},
    {"fcntl", SYS_fcntl, 0},
    {"getrandom", SYS_getrandom, 0},
    {"rt_sigaction", SYS_rt_sigaction, 0},
    {"sigaltstack", SYS_sigaltstack, 0},
    {"brk", SYS_brk, 0},
    {"capget", SYS_capget, 0},
    {"readlinkat", SYS_readlinkat, 0},
    {"close_range", KERNEL_SYS_CLOSE_RANGE, 0},
    {"kcmp", SYS_kcmp, 0},
    {"execveat", SYS_execveat, 4},
    {"ptrace", SYS_ptrace, 0},
    {"ppoll", SYS_ppoll, 0},
#ifdef SYS_open /* newer architectures have only later forms of these */
    {"open", SYS_open, 0},
    {"stat", SYS_stat, 0},
    {"readlink", SYS_readlink, 0},
#endif
};

static const struct {
	const char *name;
	unsigned number;
} errors[] = {{"EINVAL", EINVAL}, {"EPERM", EPERM},   {"ENOMEM", ENOMEM},
	      {"EIO", EIO},	  {"ENOSYS", ENOSYS}, {"OK", 0}};

/* Ends the tool, which says so to its user. */
static _Noreturn void usage(const char *word);

/* The call of a name with so many letters. */
static const struct call *find_call(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strlen(calls[i].name) == length && strncmp(name, calls[i].name, length) == 0)
			return &calls[i];
	usage(name);
}

static unsigned find_error(const char *name)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (strcmp(errors[i].name, name) == 0)
			return errors[i].number;
	usage(name);
}
