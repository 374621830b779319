/*
 * hpager PROGRAM [ARG]...: runs a static program in this process. What the file has of it, text and
 * initialised data, is there when it starts; .bss comes when it is touched, and with it what a
 * prediction says.
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
 * TODO, step 9: as in dpager, and as many pages after it as predict() says, but none after the
 * segment's end, and none that is there already.
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

	/* TODO, step 9: bring in, of each segment, the pages that have bytes of the file. */
	if (program.count > 0)
		missing(9, "main() in hpager.c", "8-prediction.md");

	void *stack = build_stack(&program, argv + 1, envp);

	serve_faults(serve);
	jump(program.entry, stack);
}
