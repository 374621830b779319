/*
 * all_at_once_loader: every page of every PT_LOAD segment, .bss included, is in memory before the
 * program starts. There is nothing to do afterwards, so no part of the loader stays.
 */
#include "common/load_plan.h"
#include "loader/loader_run.h"
#include "loader/cli/strategy.h"

int main(int argc, char **argv, char **envp)
{
	static const struct strategy strategy = {
	    .name = "all_at_once_loader",
	    .summary = "Maps the whole program, with every page in memory before it starts.",
	    .file_pages = PRESENCE_RESIDENT,
	    .bss_pages = PRESENCE_RESIDENT,
	    .leaves_nothing = true,
	};

	return loader_run(&strategy, argc, argv, envp);
}
