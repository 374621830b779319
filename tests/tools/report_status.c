/*
 * report_status FILE COMMAND [ARG]...
 *
 * Runs COMMAND and writes to FILE how it ended (run_command.h). A shell's $? cannot tell exit
 * status 139 from death by SIGSEGV.
 */
#include "run_command.h"

int main(int argc, char **argv)
{
	sigset_t original;
	char end[32];
	FILE *file = argc > 2 ? fopen(argv[1], "we") : NULL;

	if (!file) {
		fprintf(stderr, "usage: report_status FILE COMMAND [ARG]...\n");
		return 2;
	}
	prepare_to_wait(&original);

	pid_t child = fork();

	if (child < 0) {
		perror("report_status: fork");
		return 2;
	}
	if (child == 0)
		execute(argv + 2, &original);
	describe_end(child, end, sizeof(end));
	fputs(end, file);
	return fclose(file) == 0 ? 0 : 2;
}
