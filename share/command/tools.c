/* The commands that are tools with names of their own, too. */
#include "share/command/watch.h"

#include <string.h>

int command_profile(int argc, char **argv)
{
	return page_profile_main("pagewise profile", argc, argv);
}

/* page-profile reads `learn` as its first word. */
int command_learn(int argc, char **argv)
{
	char *help[] = {"help", "learn", NULL};

	if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return command_help(2, help);
	return page_profile_main("pagewise", argc + 1, argv - 1);
}

int command_layout(int argc, char **argv)
{
	return page_layout_main("pagewise layout", argc, argv);
}
