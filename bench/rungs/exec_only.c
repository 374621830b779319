/*
 * exec_only PROGRAM [ARG]...: two execs in a row. The difference to a native run is the kernel's
 * cost of starting a small static program. Loaders are compared with it.
 */
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc > 1)
		execv(argv[1], argv + 1);
	return 127;
}
