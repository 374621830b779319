/*
 * apager PROGRAM [ARG]...: runs a static program in this process. The whole program is in memory
 * before it starts.
 */
#include "jump.h"
#include "pages.h"
#include "program.h"
#include "say.h"
#include "stack.h"

int main(int argc, char **argv, char **envp)
{
	static struct program program;

	if (argc < 2)
		stop(STATUS_FAILED, "usage", "apager PROGRAM [ARG]...");
	read_program(&program, argv[1]);

	for (size_t i = 0; i < program.count; i++) {
		const struct segment *segment = &program.segments[i];

		if (bring_in(&program, segment, segment->start, segment->end) != 0)
			stop(STATUS_FAILED, program.path, "cannot be mapped");
	}

	jump(program.entry, build_stack(&program, argv + 1, envp));
}
