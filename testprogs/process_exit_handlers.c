/*
 * process_exit_handlers: what runs when a process and its children end by exit, quick_exit, _exit
 * and a signal: handlers in reverse order, from pages that were never executed.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"

static char pages[16 * 4096];
static const char *who = "parent";

static void say(const char *what)
{
	printf("%s: %s\n", who, what);
	fflush(stdout);
}

__attribute__((aligned(4096))) static void last(void)
{
	pages[5 * 4096]++;
	say("last");
}

__attribute__((aligned(4096))) static void first(void)
{
	say(pages[5 * 4096] ? "wrong" : "first");
}

__attribute__((aligned(4096))) static void added(void)
{
	say("added");
}

__attribute__((aligned(4096))) static void adds(void)
{
	say("adds one");
	atexit(added);
}

__attribute__((aligned(4096))) static void quick(void)
{
	say("quick");
}

__attribute__((destructor)) static void destruct(void)
{
	say("destructor");
}

static void run(const char *name)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		who = name;
		if (strcmp(name, "exit") == 0)
			exit(21);
		if (strcmp(name, "quick_exit") == 0)
			quick_exit(22);
		if (strcmp(name, "signal") == 0)
			raise(SIGTERM);
		if (strcmp(name, "adds") == 0)
			atexit(added);
		if (strcmp(name, "adds") == 0)
			exit(23);
		_exit(24);
	}
	waitpid(child, &status, 0);
	printf("%s: status %#x\n", name, status);
	fflush(stdout);
}

int main(void)
{
	atexit(last);
	atexit(adds);
	atexit(first);
	at_quick_exit(quick);
	run("exit");
	run("quick_exit");
	run("signal");
	run("adds");
	run("_exit");
	mark();
	return 25;
}
