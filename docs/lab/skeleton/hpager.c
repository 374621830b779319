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

/*
 * TODO, step 9: bring in the page as in dpager, and as many pages after it as predict() returns.
 * Bring in no page after the segment's end, and no page that is there already.
 */
static bool serve(uintptr_t address)
{
	(void)address;
	(void)predictor;
	missing(9, "serve() in hpager.c", "8-prediction.md");
}

int main(int argc, char **argv, char **envp)
{
	if (argc < 2)
		stop(STATUS_FAILED, "usage", "hpager PROGRAM [ARG]...");
	read_program(&program, argv[1]);

	/* TODO, step 9: bring in the pages of each segment that have bytes of the file. */
	if (program.count > 0)
		missing(9, "main() in hpager.c", "8-prediction.md");

	void *stack = build_stack(&program, argv + 1, envp);

	serve_faults(serve);
	jump(program.entry, stack);
}
