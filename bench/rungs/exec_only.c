/*
 * exec_only PROGRAM [ARG]...: two execs in a row. What it costs beside a native run is what the
 * kernel takes for starting a small static program, and so what a loader is measured against.
 */
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc > 1)
		execv(argv[1], argv + 1);
	return 127;
}
