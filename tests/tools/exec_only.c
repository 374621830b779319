/*
 * exec_only [read] [bits=N] PATH... -- COMMAND [ARG]...
 *
 * Runs a command where Landlock permits the execution of these files, and of those below these
 * folders, and of no others; with `read`, reading, too. The process gets no_new_privs; or, with
 * bits=N, these secure bits instead, which needs root. The status is 126 where the command may not
 * be executed, 127 where it cannot be for another reason, and 125 where the kernel has no Landlock
 * or no such bits.
 */
#include "common/kernel_abi.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* linux/landlock.h, Linux 5.13: older headers lack it. */
#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE	    445
#define CALL_RESTRICT_SELF  446
#define ACCESS_EXECUTE	    UINT64_C(1)
#define ACCESS_READ	    UINT64_C(4)
#define RULE_PATH_BENEATH   1

struct path_beneath {
	uint64_t permitted;
	int32_t parent;
} __attribute__((packed));

static _Noreturn void stop(const char *what)
{
	fprintf(stderr, "exec_only: %s: %s\n", what, strerror(errno));
	exit(125);
}

static void permit(int rules, uint64_t accesses, const char *path)
{
	struct path_beneath rule = {accesses, open(path, O_PATH | O_CLOEXEC)};

	if (rule.parent < 0 || syscall(CALL_ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0) != 0)
		stop(path);
	close(rule.parent);
}

int main(int argc, char **argv)
{
	uint64_t handled = ACCESS_EXECUTE;
	const char *bits = NULL;
	int rules, i = 1;

	if (i < argc && strcmp(argv[i], "read") == 0) {
		handled |= ACCESS_READ;
		i++;
	}
	rules = (int)syscall(CALL_CREATE_RULESET, &handled, sizeof(handled), 0);
	if (rules < 0)
		stop("Landlock");
	if (syscall(SYS_execveat, -1, "", NULL, NULL, AT_EMPTY_PATH | KERNEL_AT_EXECVE_CHECK) ==
		0 ||
	    errno != EBADF)
		stop("AT_EXECVE_CHECK");
	if (i < argc && strncmp(argv[i], "bits=", 5) == 0)
		bits = argv[i++] + 5;
	for (; i < argc && strcmp(argv[i], "--") != 0; i++)
		permit(rules, handled, argv[i]);
	if (i + 1 >= argc)
		stop("a command line without --");
	if (bits != NULL ? prctl(PR_SET_SECUREBITS, strtoul(bits, NULL, 0)) != 0
			 : prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		stop("prctl");
	if (syscall(CALL_RESTRICT_SELF, rules, 0) != 0)
		stop("landlock_restrict_self");
	execvp(argv[i + 1], argv + i + 1);
	fprintf(stderr, "exec_only: %s: %s\n", argv[i + 1], strerror(errno));
	return errno == EACCES || errno == ETXTBSY ? 126 : 127;
}
