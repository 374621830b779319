/*
 * hybrid_loader: text and initialized data are mapped before the program starts and left to the
 * kernel's paging. A signal handler brings in the pages of .bss, several at a time, as a prediction
 * policy decides. A touch of a hidden page raises SIGBUS with the engine userfaultfd, the default,
 * and SIGSEGV with any other engine.
 */
#include "common/load_plan.h"
#include "common/page.h"
#include "loader/loader_run.h"
#include "loader/cli/strategy.h"

int main(int argc, char **argv, char **envp)
{
	static const struct strategy strategy = {
	    .name = "hybrid_loader",
	    .summary = "Maps text and data; brings in .bss when touched, with prediction.",
	    .file_pages = PRESENCE_NATIVE,
	    .bss_pages = PRESENCE_HIDDEN,
	    .default_policy = predict_adaptive,
	    .fills_ahead = true,
	    .least_bss_bytes = 1 << 20,
	    .least_huge_bss_bytes = 16 << 20,
	};

	return loader_run(&strategy, argc, argv, envp);
}
