/*
 * process_trace_child WAY: a program traces a child that it has forked. WAY: "signals", the child's
 * signals and no others; "calls", the calls that the child makes; "seize", attached while it runs,
 * which sends no SIGCHLD; "attach", attached while another child executes a program; "stopped",
 * after the child has stopped itself.
 *
 * No mark: ptrace() ends lazy paging, and the test is that the tracer sees nothing of the loader
 * then.
 */
#include "guest.h"
#include "handled.h"

#include <sys/ptrace.h>
#include <sys/user.h>

#define EXITKILL 0x100000
#define CALLGOOD 1 /* PTRACE_O_TRACESYSGOOD */
#define SEIZE	 0x4206

static char area[240 * PAGE] __attribute__((aligned(PAGE)));
static volatile int notified;
static int ready[2], go_on[2];

static void on_child(int number)
{
	notified++;
}

static void child_runs(const char *way)
{
	char byte;

	if (strcmp(way, "stopped") == 0) {
		raise(SIGSTOP);
	} else if (strcmp(way, "seize") == 0 || strcmp(way, "attach") == 0) {
		if (write(ready[1], "", 1) != 1 || read(go_on[0], &byte, 1) != 1)
			_exit(1);
	} else {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
	}
	area[50 * PAGE] = 1;
	getppid();
	area[150 * PAGE] = 1;
	getppid();
	raise(SIGUSR1);
	area[200 * PAGE]++;
	raise(SIGSEGV);
	_exit(handled + area[200 * PAGE] + area[50 * PAGE]);
}

static void follow(pid_t child, int calls, int deliver)
{
	int status, stops = 0;

	for (; stops < 100; stops++) {
		ptrace(calls ? PTRACE_SYSCALL : PTRACE_CONT, child, NULL, (void *)(long)deliver);
		if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
			break;
		deliver = WSTOPSIG(status);
		if (deliver == (SIGTRAP | 0x80)) {
			struct user_regs_struct registers;

			ptrace(PTRACE_GETREGS, child, NULL, &registers);
			if (registers.orig_rax == SYS_getppid || registers.orig_rax == SYS_tgkill)
				printf("call %d\n", (int)registers.orig_rax);
			deliver = 0;
		} else {
			printf("signal %d\n", deliver);
		}
	}
	if (stops == 100)
		kill(child, SIGKILL);
	printf("ended with %x\n", status);
}

/* Returns the signal of the child's first stop, which it then gets. */
static int attach(pid_t child, const char *way)
{
	int status, stopped = strcmp(way, "stopped") == 0;
	long request = strcmp(way, "attach") == 0 ? PTRACE_ATTACH : SEIZE;
	char byte;

	if (stopped ? waitpid(child, &status, WUNTRACED) != child : read(ready[0], &byte, 1) != 1)
		return -1;
	printf("attached: %ld\n", ptrace(request, child, NULL, NULL));
	if (strcmp(way, "seize") == 0)
		printf("SIGCHLD: %d\n", notified);
	if (stopped ? kill(child, SIGCONT) : write(go_on[1], "", 1) != 1)
		return -1;
	waitpid(child, &status, 0);
	printf("stop %x\n", status);
	/* A stop that reports no arriving signal passes none on. */
	return status >> 16 != 0 || request == PTRACE_ATTACH ? 0 : WSTOPSIG(status);
}

/* Another child, which executes this program again and sleeps until it is killed. */
static pid_t begin_sibling(char *name)
{
	int executed[2];
	pid_t id;
	char byte;

	if (pipe2(executed, O_CLOEXEC) != 0)
		return -1;
	id = fork();
	if (id == 0) {
		execl("/proc/self/exe", name, "sleep", NULL);
		_exit(1);
	}
	close(executed[1]);
	check("executed", read(executed[0], &byte, 1) == 0);
	return id;
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "signals", "calls", "seize", "attach", "stopped", "sleep");
	int calls = strcmp(way, "calls") == 0, status, first = 0;
	void *options = (void *)(EXITKILL | (calls ? CALLGOOD : 0L));
	pid_t child, sibling = 0;

	if (strcmp(way, "sleep") == 0)
		return pause();
	signal(SIGUSR1, on_signal);
	signal(SIGSEGV, on_signal);
	signal(SIGCHLD, on_child);
	must(pipe(ready) == 0 && pipe(go_on) == 0);
	if (strcmp(way, "attach") == 0)
		sibling = begin_sibling(argv[0]);
	child = fork();
	if (child == 0)
		child_runs(way);
	if (calls || strcmp(way, "signals") == 0) {
		waitpid(child, &status, 0);
		ptrace(PTRACE_SETOPTIONS, child, NULL, options);
	} else {
		first = attach(child, way);
	}
	must(first >= 0);
	follow(child, calls, first);
	if (sibling > 0)
		kill(sibling, SIGKILL);
}
