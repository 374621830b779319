/* The commands that are tools with names of their own, too. */
#include "share/command/watch.h"

int command_profile(int argc, char **argv)
{
	return page_profile_main("pagewise profile", argc, argv);
}

/* page-profile reads `learn` as its first word. */
int command_learn(int argc, char **argv)
{
	return page_profile_main("pagewise learn", argc + 1, argv - 1);
}

int command_layout(int argc, char **argv)
{
	return page_layout_main("pagewise layout", argc, argv);
}
