/*
 * process_spawn [show]: posix_spawn of this program: with attributes and file actions in pages that
 * were never touched, and of a program that is not there.
 *
 * No mark on arm64: posix_spawn() ends lazy paging.
 */
#include "guest.h"

#include <spawn.h>

static struct {
	APART posix_spawnattr_t attributes;
	APART posix_spawn_file_actions_t actions;
	APART pid_t pid;
	APART int status;
	APART sigset_t mask, defaults;
	APART char *arguments[4], *environment[2];
	APART char text[2 * PAGE];
	APART char end;
} at;

static void handler(int number)
{
}

static int show(void)
{
	for (int number = 1; number <= 64; number++) {
		uint64_t action[4] = {0};

		syscall(SYS_rt_sigaction, number, NULL, action, 8);
		if (action[0] != 0)
			printf("signal %d: %s\n", number, action[0] == 1 ? "ignored" : "handled");
	}
	printf("blocked %#lx, group of its own %d, descriptor 9 open %d, 8 open %d, %s\n",
	       (unsigned long)mask_now(), getpgrp() == getpid(), fcntl(9, F_GETFD) >= 0,
	       fcntl(8, F_GETFD) >= 0, environ[0]);
	return 21;
}

static void finish(const char *what)
{
	check(what, waitpid(at.pid, &at.status, 0) == at.pid);
	printf("status %#x\n", (unsigned)at.status);
}

static void with_attributes(char *self, int blocked)
{
	at.mask = SET_OF(blocked, SIGTERM);
	at.defaults = SET_OF(SIGUSR1, SIGSYS);
	posix_spawnattr_init(&at.attributes);
	posix_spawnattr_setsigmask(&at.attributes, &at.mask);
	posix_spawnattr_setsigdefault(&at.attributes, &at.defaults);
	posix_spawnattr_setpgroup(&at.attributes, 0);
	posix_spawnattr_setflags(&at.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
						     POSIX_SPAWN_SETPGROUP);
	posix_spawn_file_actions_init(&at.actions);
	posix_spawn_file_actions_addopen(&at.actions, 9, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&at.actions, 7, 1);
	posix_spawn_file_actions_addclose(&at.actions, 7);
	posix_spawn_file_actions_addclose(&at.actions, 8);
	check("spawned with attributes", posix_spawn(&at.pid, self, &at.actions, &at.attributes,
						     at.arguments, at.environment) == 0);
	posix_spawn_file_actions_destroy(&at.actions);
}

static void through_pipe(char *self, int blocked)
{
	int ends[2];

	if (pipe(ends) != 0 || dup2(ends[1], 7) != 7 || dup2(ends[0], 8) != 8)
		return;
	close(ends[0]);
	close(ends[1]);
	with_attributes(self, blocked);
	close(7);
	memset(at.text, 0, sizeof(at.text));
	while (read(8, at.text + strlen(at.text), PAGE / 2) > 0)
		;
	printf("it said:\n%s", at.text);
	finish("waited for it");
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "show") == 0)
		return show();
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
	signal(SIGSEGV, handler);
	at.arguments[0] = argv[0];
	at.arguments[1] = "show";
	at.environment[0] = "NAME=value";
	fflush(stdout);
	/* The child's output comes first. */
	int error = posix_spawn(&at.pid, argv[0], NULL, NULL, at.arguments, at.environment);

	finish("waited");
	check("spawned", error == 0);
	check("ENOENT", posix_spawn(&at.pid, "/nonexistent/program", NULL, NULL, at.arguments,
				    at.environment) == ENOENT);
	check("nothing to wait for", waitpid(-1, &at.status, 0) == -1 && errno == ECHILD);
	through_pipe(argv[0], SIGHUP);
	mark();
	signal(SIGSYS, SIG_IGN);
	through_pipe(argv[0], SIGSEGV);
}
