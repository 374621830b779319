/*
 * fail_call NAME N ERRNO -- COMMAND [ARG]...
 *
 * Runs a command and makes the Nth system call of that NAME fail with ERRNO: it is not made, and
 * everything else is. Only calls of the command's own first thread are counted, from its exec on.
 * The command's end is ours, exit status or signal; but exit status 99 says that there was no Nth
 * call.
 */
#include "tests/tools/calls.h"

#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_IN_EXEC 97
#define EXIT_USAGE   98
#define EXIT_NO_CALL 99

/* With PTRACE_O_TRACESYSGOOD this stop is a system call, and SIGTRAP a signal as any other. */
#define STOP_CALL (SIGTRAP | 0x80)

/* The call that fails, and how far we are. */
struct request {
	long call, error;
	unsigned long remaining; /* 0: it has failed */
	int failing;		 /* between its entry and its exit */
	int in_exec;		 /* since the entry of an execve that has not succeeded */
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "fail_call: %s: %s\n", what, strerror(errno));
	exit(EXIT_USAGE);
}

static _Noreturn void usage(const char *word)
{
	fprintf(stderr, "fail_call: cannot make sense of %s\n", word);
	exit(EXIT_USAGE);
}

static pid_t start(char **command)
{
	pid_t child = fork();

	if (child < 0)
		fail("fork");
	if (child != 0)
		return child;
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		fail("ptrace");
	raise(SIGSTOP);
	execvp(command[0], command);
	fail(command[0]);
}

static void set_register(pid_t child, size_t offset, long value)
{
	if (ptrace(PTRACE_POKEUSER, child, offset, value) != 0)
		fail("PTRACE_POKEUSER");
}

/* A call stops twice. At its entry it gets a number that no call has, at its exit its result. */
static void on_call(pid_t child, struct request *request)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof(info), &info) <= 0)
		fail("PTRACE_GET_SYSCALL_INFO");
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
		request->in_exec = (long)info.entry.nr == SYS_execve;
	if (info.op == PTRACE_SYSCALL_INFO_EXIT && request->failing) {
		set_register(child, offsetof(struct user, regs.rax), -request->error);
		request->failing = 0;
	}
	if (info.op != PTRACE_SYSCALL_INFO_ENTRY || (long)info.entry.nr != request->call ||
	    request->remaining == 0 || --request->remaining != 0)
		return;
	set_register(child, offsetof(struct user, regs.orig_rax), -1);
	request->failing = 1;
}

/* Waits for the next stop; false when the child has ended. */
static int wait_for_stop(pid_t child, int *status)
{
	while (waitpid(child, status, 0) != child)
		if (errno != EINTR)
			fail("waitpid");
	return WIFSTOPPED(*status);
}

/*
 * Lets the child run to its end. From its exec on it stops at each system call, until the one that
 * fails.
 */
static int trace(pid_t child, struct request *request)
{
	enum __ptrace_request go_on = PTRACE_CONT;
	int status;
	long signal = 0;

	if (!wait_for_stop(child, &status))
		return status;
	if (ptrace(PTRACE_SETOPTIONS, child, NULL,
		   PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) != 0)
		fail("PTRACE_SETOPTIONS");
	/* ESRCH: it was killed meanwhile, and waitpid says so. */
	while (ptrace(go_on, child, NULL, signal) == 0 || errno == ESRCH) {
		if (!wait_for_stop(child, &status))
			return status;
		signal = 0;
		if (status >> 16 == PTRACE_EVENT_EXEC) {
			go_on = request->remaining != 0 ? PTRACE_SYSCALL : PTRACE_CONT;
			request->in_exec = 0;
		} else if (WSTOPSIG(status) == STOP_CALL) {
			on_call(child, request);
			if (request->remaining == 0 && !request->failing)
				go_on = PTRACE_CONT;
		} else {
			signal = WSTOPSIG(status);
		}
	}
	fail("PTRACE_SYSCALL");
}

/* Ends as the command did; its core file is enough. */
static _Noreturn void end_like(int status)
{
	const struct rlimit no_core = {0, 0};

	if (WIFEXITED(status))
		exit(WEXITSTATUS(status));
	setrlimit(RLIMIT_CORE, &no_core);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	exit(EXIT_USAGE);
}

int main(int argc, char **argv)
{
	struct request request;
	int status;

	if (argc < 6 || strcmp(argv[4], "--") != 0) {
		fprintf(stderr, "usage: fail_call NAME N ERRNO -- COMMAND [ARG]...\n");
		return EXIT_USAGE;
	}
	request = (struct request){
	    .call = find_call(argv[1], strlen(argv[1]))->number,
	    .remaining = strtoul(argv[2], NULL, 10),
	    .error = find_error(argv[3]),
	    .in_exec = 1,
	};
	if (request.remaining == 0)
		usage(argv[2]);
	status = trace(start(argv + 5), &request);
	if (WIFSIGNALED(status) && request.in_exec)
		return EXIT_IN_EXEC;
	if (request.remaining != 0)
		return EXIT_NO_CALL;
	end_like(status);
}
