/*
 * dpager PROGRAM [ARG]...: runs a static program in this process. No page of the program is in
 * memory when it starts. Each page comes alone, when the program first touches it.
 */
#include "fault.h"
#include "jump.h"
#include "pages.h"
#include "program.h"
#include "say.h"
#include "stack.h"

static struct program program;

static bool serve(uintptr_t address)
{
	const struct segment *segment = find_segment(&program, address);
	uintptr_t page = page_down(address);

	return segment != NULL && bring_in(&program, segment, page, page + PAGE_SIZE) == 0;
}

int main(int argc, char **argv, char **envp)
{
	if (argc < 2)
		stop(STATUS_FAILED, "usage", "dpager PROGRAM [ARG]...");
	read_program(&program, argv[1]);

	void *stack = build_stack(&program, argv + 1, envp);

	serve_faults(serve);
	jump(program.entry, stack);
}
