/*
 * process_poke mem|poke|vector: a child writes to untouched pages of its parent's .bss, and reads
 * others.
 */
#include "guest.h"

#include <sys/ptrace.h>
#include <sys/uio.h>

#define ANY_TRACER 0x59616d61 /* PR_SET_PTRACER, needed by some */

static char area[240 * PAGE] __attribute__((aligned(PAGE)));

static void show(const char *what, long result)
{
	printf("%s: %ld, error %d\n", what, result, result < 0 ? errno : 0);
}

static void by_file(pid_t other)
{
	char name[40], got[4] = "???";
	int file;

	snprintf(name, sizeof(name), "/proc/%d/mem", (int)other);
	file = open(name, O_RDWR);
	show("write", pwrite(file, "abcd", 4, (off_t)(intptr_t)(area + 50 * PAGE - 2)));
	show("read", pread(file, got, 4, (off_t)(intptr_t)(area + 100 * PAGE - 2)));
	check("zeros", got[0] == 0 && got[3] == 0);
}

static void by_tracing(pid_t other)
{
	int status;

	show("attach", ptrace(PTRACE_ATTACH, other, NULL, NULL));
	waitpid(other, &status, 0);
	/* Signals that the loader handles arrive here, too. */
	while (WIFSTOPPED(status) && WSTOPSIG(status) != SIGSTOP) {
		ptrace(PTRACE_CONT, other, NULL, (void *)(intptr_t)WSTOPSIG(status));
		waitpid(other, &status, 0);
	}
	check("stopped", WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
	show("poke", ptrace(PTRACE_POKEDATA, other, area + 50 * PAGE - 2, (void *)0x64636261L));
	errno = 0;
	show("peek", ptrace(PTRACE_PEEKDATA, other, area + 100 * PAGE, NULL));
	show("detach", ptrace(PTRACE_DETACH, other, NULL, NULL));
}

static void by_vector(pid_t other)
{
	struct iovec here = {"abcd", 4}, there = {area + 50 * PAGE - 2, 4};

	show("writev", process_vm_writev(other, &here, 1, &there, 1, 0));
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "mem", "poke", "vector");
	pid_t parent = getpid(), child;
	int ready[2], status;
	char byte;

	prctl(ANY_TRACER, -1L, 0, 0, 0);
	must(pipe(ready) == 0);
	child = fork();
	if (child == 0) {
		if (strcmp(way, "poke") == 0)
			by_tracing(parent);
		else if (strcmp(way, "vector") == 0)
			by_vector(parent);
		else
			by_file(parent);
		fflush(stdout);
		_exit(0);
	}
	close(ready[1]);
	while (read(ready[0], &byte, 1) != 0 && errno == EINTR)
		;
	while (waitpid(child, &status, 0) != child)
		;
	mark();
	printf("'%.4s', child %d\n", area + 50 * PAGE - 2, status);
}
