/*
 * pagewise: one name for the toolkit. `pagewise run` is hybrid_loader, and it also reads ahead what
 * a profile of the cache knows. The other commands are in share/command/commands.def.
 */
#include "common/page.h"
#include "loader/loader_run.h"
#include "share/command/command.h"

#include <string.h>
#include <unistd.h>

struct strategy command_strategy = {
    .name = "pagewise run",
    .summary = "Maps text and data; brings in .bss when touched, with prediction.",
    .file_pages = PRESENCE_NATIVE,
    .bss_pages = PRESENCE_HIDDEN,
    .default_policy = predict_adaptive,
    .fills_ahead = true,
    .uses_cache = true,
    .least_bss_bytes = 1 << 20,
    .least_huge_bss_bytes = 16 << 20,
};

int command_run(int argc, char **argv)
{
	return loader_run(&command_strategy, argc, argv, environ);
}

/* Links to this file have names with a hyphen: page-profile, page-layout, loader-binfmt. */
int main(int argc, char **argv)
{
	/* The first question, so that a start brings in no page of the other commands. */
	if (argc > 1 && strcmp(argv[1], "run") == 0 && strstr(argv[0], "page-") == NULL &&
	    strstr(argv[0], "loader-") == NULL)
		return command_run(argc - 1, argv + 1);
	return command_dispatch(argc, argv);
}
