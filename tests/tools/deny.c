/*
 * deny CALL[=VALUE]:ERRNO... -- COMMAND [ARG]...
 *
 * Runs a command under a seccomp filter that makes system calls fail, as an older kernel or a
 * sandbox would: madvise=102:EINVAL is a kernel without guard markers. With OK for ERRNO they do
 * nothing and say 0, as emulators may. VALUE is compared with the argument that selects what the
 * call does: the third of madvise, the first of prctl and clone, the second of ioctl, the
 * flags of execveat.
 */
#include "tests/tools/calls.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

static _Noreturn void usage(const char *word)
{
	fprintf(stderr, "deny: cannot make sense of %s\n", word);
	exit(125);
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
