/*
 * LOADER with --policy=none: on_demand_loader brings in pages of files one by one, too, as the lab
 * wants it. Not a script, because a shell changes the environment.
 */
#include <unistd.h>

int main(int argc, char **argv)
{
	char *words[argc + 2];

	words[0] = argv[0];
	words[1] = "--policy=none";
	for (int i = 1; i <= argc; i++)
		words[i + 1] = argv[i];
	execv(LOADER, words);
	return 127;
}
