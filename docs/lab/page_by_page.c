/*
 * page_by_page: on_demand_loader with --policy=none as its default, so that pages of files come one
 * by one, too, as the lab wants it. `make lab-reference` builds it.
 */
#include "common/load_plan.h"
#include "loader/cli/strategy.h"
#include "loader/loader_run.h"

int main(int argc, char **argv, char **envp)
{
	static const struct strategy strategy = {
	    .name = "on_demand_loader",
	    .summary = "Starts the program with one page; the others come when touched, alone.",
	    .file_pages = PRESENCE_HIDDEN,
	    .bss_pages = PRESENCE_HIDDEN,
	    .default_policy = predict_none,
	};

	return loader_run(&strategy, argc, argv, envp);
}
