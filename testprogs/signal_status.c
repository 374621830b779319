/*
 * signal_status: the signal lines of /proc/self/status, which ps prints.
 *
 * No mark: everything that it tests is in /proc.
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];

	if (!file) {
		perror("/proc/self/status");
		return 1;
	}
	while (fgets(line, sizeof(line), file))
		if (strncmp(line, "Sig", 3) == 0 && strncmp(line, "SigQ", 4) != 0)
			fputs(line, stdout);
	fclose(file);
}
