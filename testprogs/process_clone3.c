/*
 * process_clone3: clone3, which takes its arguments from memory: with everything
 * that it stores in pages never touched, and with a descriptor that waitid waits for.
 */
#include "guest.h"

enum { BY_DESCRIPTOR = 3 };

/* The clone_args of linux/sched.h, which musl-gcc does not find. */
struct clone3_arguments {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
	    set_tid_size, cgroup;
};

static struct {
	APART struct clone3_arguments arguments;
	APART int descriptor;
	APART pid_t parent;
	APART pid_t child;
	APART siginfo_t info;
	APART struct pollfd poll;
	APART char end;
} at[3];
static volatile int written[8 * PAGE];
static const struct clone3_arguments constant[PAGE / sizeof(struct clone3_arguments)] = {
    [3] = {.exit_signal = SIGCHLD},
    [20] = {.exit_signal = 1000},
};

static pid_t start(const struct clone3_arguments *arguments, size_t size)
{
	return (pid_t)syscall(SYS_clone3, arguments, size);
}

static void in_child(int number)
{
	written[(number + 1) * PAGE] = number;
	_exit(30 + number + (at[number].child == (pid_t)syscall(SYS_gettid) ? 10 : 0));
}

static void with_descriptor(int number)
{
	struct clone3_arguments *arguments = &at[number].arguments;

	arguments->flags = CLONE_PIDFD | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID;
	arguments->pidfd = (uintptr_t)&at[number].descriptor;
	arguments->parent_tid = (uintptr_t)&at[number].parent;
	arguments->child_tid = (uintptr_t)&at[number].child;
	arguments->exit_signal = SIGCHLD;
	pid_t pid = start(arguments, sizeof(*arguments));

	if (pid == 0)
		in_child(number);
	at[number].poll.fd = at[number].descriptor;
	at[number].poll.events = POLLIN;
	check("started", pid > 0 && at[number].parent == pid);
	check("polled", poll(&at[number].poll, 1, -1) == 1 && at[number].poll.revents == POLLIN);
	check("waited", waitid((idtype_t)BY_DESCRIPTOR, (id_t)at[number].descriptor,
			       &at[number].info, WEXITED) == 0);
	printf("it exited %d with %d, its ID %d, the child's words %d %d\n",
	       at[number].info.si_code == CLD_EXITED, at[number].info.si_status,
	       at[number].info.si_pid == pid, at[number].child, written[(number + 1) * PAGE]);
	close(at[number].descriptor);
}

static void constant_arguments(void)
{
	pid_t pid = start(&constant[3], sizeof(constant[3]));

	if (pid == 0)
		_exit(70);
	check("waited for it", waitid(P_PID, (id_t)pid, &at[2].info, WEXITED) == 0);
	printf("constant: %d\n", at[2].info.si_status);
}

static void fail(const char *what, const struct clone3_arguments *arguments, size_t size,
		 int expected)
{
	errno = 0;
	pid_t pid = start(arguments, size);

	if (pid == 0)
		_exit(0);
	check(what, pid == -1 && errno == expected);
}

static void on_signal(int number)
{
}

/*
 * CLONE_CLEAR_SIGHAND (Linux 5.5): signals that are handled get the default action, those that are
 * ignored stay ignored.
 */
static void without_handlers(void)
{
	static const int numbers[] = {SIGUSR1, SIGSEGV, SIGSYS, SIGUSR2};
	const struct clone3_arguments arguments = {.flags = UINT64_C(0x100000000),
						   .exit_signal = SIGCHLD};
	struct sigaction found;
	int status;
	pid_t child;

	for (int i = 0; i < 3; i++)
		signal(numbers[i], on_signal);
	signal(SIGUSR2, SIG_IGN);
	fflush(stdout);
	child = start(&arguments, sizeof(arguments));
	if (child == 0) {
		for (int i = 0; i < 4; i++) {
			sigaction(numbers[i], NULL, &found);
			printf("%d: %d\n", numbers[i],
			       found.sa_handler == SIG_DFL ? 0 : 1 + (found.sa_handler != SIG_IGN));
		}
		fflush(stdout);
		_exit(written[6 * PAGE + 9] + 5);
	}
	check("child", child < 0 || (waitpid(child, &status, 0) == child && status == 5 << 8));
	for (int i = 0; i < 4; i++)
		signal(numbers[i], SIG_DFL);
}

int main(void)
{
	if (start(NULL, 0) == -1 && errno == ENOSYS)
		printf("no clone3\n");
	with_descriptor(0);
	with_descriptor(1);
	without_handlers();
	constant_arguments();
	fail("EINVAL for the signal", &constant[20], sizeof(constant[20]), EINVAL);
	fail("EINVAL for the size", &constant[3], 8, EINVAL);
	fail("E2BIG", &constant[3], 2 * PAGE, E2BIG);
	fail("EFAULT", (const struct clone3_arguments *)16, sizeof(*constant), EFAULT);
	at[2].arguments.flags = CLONE_PIDFD;
	at[2].arguments.pidfd = 16;
	at[2].arguments.exit_signal = SIGCHLD;
	fail("EFAULT for the descriptor", &at[2].arguments, sizeof(at[2].arguments), EFAULT);
	check("nothing to wait for", wait(NULL) == -1 && errno == ECHILD);
	mark();
}
