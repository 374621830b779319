/*
 * hpager PROGRAM [ARG]...: runs a static program in this process. The pages that the file has, text
 * and initialized data, are in memory when it starts. A page of .bss comes when it is touched, and
 * with it the pages that predict() adds.
 */
#include "fault.h"
#include "jump.h"
#include "pages.h"
#include "predict.h"
#include "program.h"
#include "say.h"
#include "stack.h"

static struct program program;
static struct predictor predictor;

/* One page after the other: the first that is there already ends the prediction, and does no harm.
 */
static bool serve(uintptr_t address)
{
	const struct segment *segment = find_segment(&program, address);
	uintptr_t page = page_down(address);

	if (segment == NULL || bring_in(&program, segment, page, page + PAGE_SIZE) != 0)
		return false;
	for (size_t ahead = predict(&predictor, page); ahead > 0; ahead--) {
		page += PAGE_SIZE;
		if (page >= segment->end ||
		    bring_in(&program, segment, page, page + PAGE_SIZE) != 0)
			break;
	}
	return true;
}

int main(int argc, char **argv, char **envp)
{
	if (argc < 2)
		stop(STATUS_FAILED, "usage", "hpager PROGRAM [ARG]...");
	read_program(&program, argv[1]);

	for (size_t i = 0; i < program.count; i++) {
		const struct segment *segment = &program.segments[i];

		if (bring_in(&program, segment, segment->start, page_up(segment->file_end)) != 0)
			stop(STATUS_FAILED, program.path, "cannot be mapped");
	}

	void *stack = build_stack(&program, argv + 1, envp);

	serve_faults(serve);
	jump(program.entry, stack);
}
