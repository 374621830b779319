/*
 * deny CALL[=VALUE]:ERRNO... -- COMMAND [ARG]...
 *
 * Runs a command under a seccomp filter that makes system calls fail, as an older kernel or a
 * sandbox would: madvise=102:EINVAL is a kernel without guard markers. With OK for ERRNO they do
 * nothing and say 0, as emulators may. VALUE is compared with the argument that selects what the
 * call does: the third of madvise, the first of prctl and clone, the second of ioctl, the
 * flags of execveat.
 */
#define _GNU_SOURCE
#include "common/kernel_abi.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct call {
	const char *name;
	unsigned number, selector; /* the index of the argument that VALUE is compared with */
} calls[] = {
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
    {"open", SYS_open, 0},
    {"openat", SYS_openat, 2},
    {"stat", SYS_stat, 0},
    {"fstat", SYS_fstat, 0},
    {"fcntl", SYS_fcntl, 0},
    {"getrandom", SYS_getrandom, 0},
    {"rt_sigaction", SYS_rt_sigaction, 0},
    {"sigaltstack", SYS_sigaltstack, 0},
    {"brk", SYS_brk, 0},
    {"capget", SYS_capget, 0},
    {"readlink", SYS_readlink, 0},
    {"readlinkat", SYS_readlinkat, 0},
    {"close_range", KERNEL_SYS_CLOSE_RANGE, 0},
    {"kcmp", SYS_kcmp, 0},
    {"execveat", SYS_execveat, 4},
    {"ptrace", SYS_ptrace, 0},
    {"ppoll", SYS_ppoll, 0},
};

static const struct {
	const char *name;
	unsigned number;
} errors[] = {
    {"EINVAL", EINVAL}, {"EPERM", EPERM}, {"ENOMEM", ENOMEM}, {"ENOSYS", ENOSYS}, {"OK", 0}};

static _Noreturn void usage(const char *word)
{
	fprintf(stderr, "deny: cannot make sense of %s\n", word);
	exit(125);
}

static const struct call *find_call(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strlen(calls[i].name) == length && strncmp(word, calls[i].name, length) == 0)
			return &calls[i];
	usage(word);
}

static unsigned find_error(const char *name)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (strcmp(errors[i].name, name) == 0)
			return errors[i].number;
	usage(name);
}

/* Adds the filter for one word; filters add up. */
static void deny(const char *word)
{
	const struct call *call = find_call(word, strcspn(word, "=:"));
	const char *value = strchr(word, '='), *error = strchr(word, ':');
	unsigned answer = SECCOMP_RET_ERRNO | find_error(error != NULL ? error + 1 : word);
	unsigned offset =
	    offsetof(struct seccomp_data, args) + call->selector * (unsigned)sizeof(__u64);
	struct sock_filter filter[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call->number, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
		     value != NULL ? (unsigned)strtoul(value + 1, NULL, 0) : 0, 0,
		     value != NULL ? 1 : 0),
	    BPF_STMT(BPF_RET | BPF_K, answer),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
		perror("deny: seccomp");
		exit(125);
	}
}

int main(int argc, char **argv)
{
	int i = 1;

	for (; i < argc && strcmp(argv[i], "--") != 0; i++)
		deny(argv[i]);
	if (i + 1 >= argc)
		usage("a command line without --");
	execvp(argv[i + 1], argv + i + 1);
	perror(argv[i + 1]);
	return 127;
}
