/* forks COUNT: that many children, one after the other; each writes to 256 fresh pages of .bss. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES 256

static uint8_t area[PAGES][4096];

static int child(long number)
{
	for (size_t page = 0; page < PAGES; page++)
		area[page][0] = (uint8_t)(number + 1);
	return area[PAGES - 1][0];
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 20, sum = 0;

	for (long i = 0; i < count; i++) {
		int status = 0;
		pid_t pid = fork();

		if (pid == 0)
			_exit(child(i));
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return 1;
		sum += WEXITSTATUS(status);
	}
	printf("%ld\n", sum);
	return 0;
}
