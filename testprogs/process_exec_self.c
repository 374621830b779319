/*
 * process_exec_self: execve of the program itself. Path, arrays and strings are constants and
 * static arrays that were never touched; an untouched array is an empty string.
 */
#include "guest.h"

#define MANY 3000

static char nothing[5 * 4096];
static const char large[30 * 4096] = {[0 ... 30 * 4096 - 100] = 'x'};
static const char *const arguments[MANY] = {"name of its own", "child", "", large, "last"};
static const char *const environment[MANY] = {"A=first", large, "", "B=", "Z=last"};
static const char *const many[MANY] = {"m", "child",
				       [2 ... 2500] = "an argument that is there many times over"};
static const char *holes[MANY] = {"holes", "child", nothing, nothing + 4095, nothing + 9000};

static int show(int argc, char **argv, char **envp)
{
	unsigned long bytes = 0, hash = 5381;
	int count = 0;

	for (int i = 0; i < argc; i++) {
		bytes += strlen(argv[i]) + 1;
		for (const char *place = argv[i]; *place; place++)
			hash = hash * 33 + (unsigned char)*place;
	}
	for (; envp[count]; count++) {
		bytes += strlen(envp[count]) + 1;
		for (const char *place = envp[count]; *place; place++)
			hash = hash * 33 + (unsigned char)*place;
	}
	printf("%s: %d arguments, %d variables, %lu bytes, %lx\n", argv[0], argc, count, bytes,
	       hash);
	return argc % 100;
}

static void run(const char *path, const void *argv, const void *envp)
{
	pid_t child = fork();

	if (child == 0) {
		syscall(SYS_execve, path, argv, envp);
		_exit(127);
	}
	printf("status %#x\n", end_of(child));
	fflush(stdout);
}

int main(int argc, char **argv, char **envp)
{
	static char path[3 * 4096];

	/* A caller that gave no argument is a test, too: the kernel makes it one empty string. */
	if (argc != 1 || argv[0][0] == '\0')
		return show(argc, argv, envp);
	setvbuf(stdout, NULL, _IOLBF, 0);
	strcpy(path + 4096 - 3, argv[0]);
	run(argv[0], arguments, environment);
	run(path + 4096 - 3, many, environment);
	run(argv[0], holes, holes);
	run(argv[0], arguments, NULL);
	run(argv[0], nothing + 8, nothing + 8192);
	run(argv[0], NULL, NULL);
	mark();
	syscall(SYS_execve, path + 4096 - 3, holes, environment);
	return 1;
}
