/*
 * on_demand_loader: the program starts with one page in memory, the one that contains its entry
 * point. A SIGSEGV handler brings in every other page at its first touch. With a page of the
 * program's file, the handler may bring in the pages around it, as the kernel's own paging does.
 */
#include "common/load_plan.h"
#include "loader/loader_run.h"
#include "loader/cli/strategy.h"

int main(int argc, char **argv, char **envp)
{
	static const struct strategy strategy = {
	    .name = "on_demand_loader",
	    .summary = "Starts the program with one page; the others come when touched.",
	    .file_pages = PRESENCE_HIDDEN,
	    .bss_pages = PRESENCE_HIDDEN,
	    .default_policy = predict_fault_around,
	};

	return loader_run(&strategy, argc, argv, envp);
}
