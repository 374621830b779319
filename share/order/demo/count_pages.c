/*
 * count_pages OUTPUT touched|mapped PROGRAM [ARG]...: runs a program as exec does, and writes to
 * OUTPUT in one line: how many pages of its text it has touched, or has mapped; its resident memory
 * in KB; its page faults.
 *
 * The kernel maps pages around each one that a program touches, so what is mapped says little about
 * what is touched. For `touched` all text is mapped before the first instruction, the processor's
 * accessed bits are cleared, and they are counted at the end: as if the kernel mapped nothing
 * around a page. The program is a tracee and notices nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what)
{
	fprintf(stderr, "count_pages: %s: %s\n", what, strerror(errno));
	exit(125);
}

static FILE *open_of(pid_t process, const char *name, const char *mode)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/%s", process, name);
	file = fopen(path, mode);
	if (file == NULL)
		fail(path);
	return file;
}

/* Reads the executable mappings of the program's file from smaps, and calls `range` with each. */
static unsigned long sum_text(pid_t process, const char *field,
			      void range(pid_t process, unsigned long start, unsigned long end))
{
	char line[4096], exe[4096] = "", path[64];
	unsigned long start, end, number, sum = 0;
	FILE *file = open_of(process, "smaps", "r");
	int is_text = 0;

	snprintf(path, sizeof(path), "/proc/%d/exe", process);
	if (readlink(path, exe, sizeof(exe) - 1) < 0)
		fail(path);
	while (fgets(line, sizeof(line), file) != NULL) {
		char rights[8], name[64];

		if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) == 3) {
			is_text = rights[2] == 'x' && strstr(line, exe) != NULL;
			if (is_text && range != NULL)
				range(process, start, end);
		} else if (is_text && sscanf(line, "%63[^:]: %lu kB", name, &number) == 2 &&
			   strcmp(name, field) == 0) {
			sum += number / 4;
		}
	}
	fclose(file);
	return sum;
}

/* Has the kernel map all pages of a range in the program, which has not begun. */
static void populate(pid_t process, unsigned long start, unsigned long end)
{
	FILE *memory = open_of(process, "mem", "r");
	char byte;

	for (; start < end; start += 4096)
		if (pread(fileno(memory), &byte, 1, (off_t)start) != 1)
			fail("/proc/PID/mem");
	fclose(memory);
}

static pid_t start(char **command)
{
	pid_t process = fork();
	int status;

	if (process < 0)
		fail("fork");
	if (process == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(command[0], command);
		fail(command[0]);
	}
	waitpid(process, &status, 0);
	if (!WIFSTOPPED(status))
		exit(125);
	ptrace(PTRACE_SETOPTIONS, process, 0, PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL);
	return process;
}

/* Goes on to where the program exits, with its memory still there. */
static void run_to_exit(pid_t process)
{
	int status, number = 0;

	do {
		ptrace(PTRACE_CONT, process, 0, number);
		waitpid(process, &status, 0);
		if (!WIFSTOPPED(status))
			fail("the program has gone");
		number = WSTOPSIG(status);
	} while (status >> 16 != PTRACE_EVENT_EXIT);
}

int main(int argc, char **argv)
{
	int touched = argc > 3 && strcmp(argv[2], "touched") == 0, status;
	struct rusage usage;
	unsigned long pages;
	pid_t process;
	FILE *file;

	if (argc < 4)
		return 125;
	process = start(argv + 3);
	if (touched) {
		sum_text(process, "", populate);
		file = open_of(process, "clear_refs", "w");
		fputs("1", file);
		fclose(file);
	}
	run_to_exit(process);
	pages = sum_text(process, touched ? "Referenced" : "Rss", NULL);
	ptrace(PTRACE_CONT, process, 0, 0);
	if (wait4(process, &status, 0, &usage) != process)
		fail("wait4");
	file = fopen(argv[1], "w");
	if (file == NULL)
		fail(argv[1]);
	fprintf(file, "%lu %ld %ld\n", pages, usage.ru_maxrss, usage.ru_minflt + usage.ru_majflt);
	return fclose(file);
}
