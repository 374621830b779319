/*
 * signal_exec WAY: ignored, handled, blocked and pending signals and the alternate stack after
 * exec. The guest executes itself by argv[0]. WAY selects what it does with SIGSEGV and which call
 * executes.
 *
 * No mark: blocking and ignoring signals of faults ends lazy paging before the exec.
 */
#include "guest.h"

#include <spawn.h>

extern char **environ;

static char area[4][4 * 4096];

static void handler(int number)
{
}

static void show(void)
{
	uint64_t pending = 0;
	stack_t stack;

	for (int number = 1; number <= 64; number++) {
		uint64_t action[4] = {0};

		syscall(SYS_rt_sigaction, number, NULL, action, 8);
		if (action[0] != 0)
			printf("signal %d: %s\n", number, action[0] == 1 ? "ignored" : "handled");
	}
	syscall(SYS_rt_sigpending, &pending, 8);
	syscall(SYS_sigaltstack, NULL, &stack);
	printf("blocked %#lx, pending %#lx, alternate stack %d\n", (unsigned long)mask_now(),
	       (unsigned long)pending, stack.ss_sp != NULL);
}

static void prepare(const char *way)
{
	const stack_t stack = {.ss_sp = area, .ss_size = sizeof(area)};
	static const uint64_t blocked = BIT(SIGTERM) | BIT(SIGBUS) | BIT(SIGSYS) | BIT(40);
	sigset_t fault = SET_OF(SIGSEGV);

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, NULL, 8);
	sigaltstack(&stack, NULL);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGSYS, SIG_IGN);
	signal(SIGUSR2, handler);
	signal(SIGTERM, handler);
	raise(SIGTERM);
	if (strcmp(way, "ignored") == 0)
		signal(SIGSEGV, SIG_IGN);
	else
		signal(SIGSEGV, handler);
	if (strcmp(way, "blocked") == 0 || strcmp(way, "pending") == 0)
		sigprocmask(SIG_BLOCK, &fault, NULL);
	if (strcmp(way, "pending") == 0)
		raise(SIGSEGV);
}

static void finish(pid_t pid)
{
	printf("child's status %#x\n", end_of(pid));
	show();
}

static void spawn(char *self)
{
	char *const arguments[] = {self, "show", NULL};
	posix_spawnattr_t attributes;
	sigset_t mask = SET_OF(SIGSEGV, SIGHUP), defaults;
	pid_t pid;

	defaults = SET_OF(SIGUSR1, SIGSEGV);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &mask);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	check("spawned", posix_spawn(&pid, self, NULL, &attributes, arguments, environ) == 0);
	finish(pid);
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "caught", "show", "ignored", "blocked", "pending", "fork",
			       "vfork", "spawn", "system");

	if (strcmp(way, "show") == 0) {
		show();
		return 4;
	}
	prepare(way);
	printf("%s\n", way);
	fflush(stdout);
	if (strcmp(way, "spawn") == 0) {
		spawn(argv[0]);
	} else if (strcmp(way, "fork") == 0 || strcmp(way, "vfork") == 0) {
		pid_t pid = strcmp(way, "fork") == 0 ? fork() : vfork();

		if (pid == 0) {
			execl(argv[0], argv[0], "show", NULL);
			_exit(127);
		}
		finish(pid);
	} else if (strcmp(way, "system") == 0) {
		printf("system %#x\n", system("kill -SEGV $$; exit 3"));
		show();
	} else {
		execl(argv[0], argv[0], "show", NULL);
		perror(argv[0]);
	}
	return 1;
}
