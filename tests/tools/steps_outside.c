/*
 * steps_outside ENTRY START END STOP COMMAND [ARG]...
 *
 * Runs a command instruction by instruction from its entry point, ENTRY, to the first one at STOP
 * or above. All four are addresses of the command's file in hexadecimal digits, as readelf shows
 * them. Prints each address to which the command goes from within START to END, if it is outside,
 * once; and at last how many instructions there were. Exit status 1 if there were none.
 */
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/traced.h"

#define PLACES 256

static unsigned long places[PLACES];
static int place_count;

static void note(unsigned long place)
{
	for (int i = 0; i < place_count; i++)
		if (places[i] == place)
			return;
	if (place_count == PLACES)
		return;
	places[place_count++] = place;
	printf("%lx\n", place);
}

static unsigned long entry_of(pid_t child)
{
	char path[64];
	Elf64_auxv_t entry = {0};
	int file;

	snprintf(path, sizeof(path), "/proc/%d/auxv", child);
	file = open(path, O_RDONLY);
	while (read(file, &entry, sizeof(entry)) == sizeof(entry) && entry.a_type != AT_ENTRY)
		;
	close(file);
	return entry.a_un.a_val;
}

int main(int argc, char **argv)
{
	unsigned long known[4], base, steps = 0;
	struct user_regs_struct registers;
	bool inside = true;
	int status;
	pid_t child;

	if (argc < 6) {
		fprintf(stderr, "usage: steps_outside ENTRY START END STOP COMMAND [ARG]...\n");
		return EXIT_USAGE;
	}
	for (int i = 0; i < 4; i++)
		known[i] = strtoul(argv[1 + i], NULL, 16);
	child = start_traced(argv + 5);
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		return EXIT_USAGE;
	base = entry_of(child) - known[0];
	for (; WIFSTOPPED(status); waitpid(child, &status, 0), steps++) {
		unsigned long place;

		ptrace(PTRACE_GETREGS, child, 0, &registers);
		place = registers.rip - base;
		if (place >= known[3])
			break;
		if (inside && (place < known[1] || place >= known[2]))
			note(place);
		inside = place >= known[1] && place < known[2];
		ptrace(PTRACE_SINGLESTEP, child, 0, 0);
	}
	kill(child, SIGKILL);
	printf("%lu instructions\n", steps);
	return steps == 0;
}
