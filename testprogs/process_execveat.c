/*
 * process_execveat [WORD]...: execveat and fexecve of this program: by descriptor, by directory and
 * name, with strings in pages never touched; and the ways in which it fails.
 */
#include "guest.h"

enum { WORDS = PAGE / sizeof(char *) };

static char empty[3 * PAGE], directory[3 * PAGE], name[3 * PAGE], word[3][3 * PAGE];
static char *arguments[3 * WORDS], *environment[3 * WORDS];
static int status[5 * WORDS];
static const char const_empty[2 * PAGE];

static void try(const char *what, int at, const char *path, int flags)
{
	static int number;
	int *word_of_status = &status[number++ * 400];

	fflush(stdout);
	pid_t pid = fork();

	if (pid == 0) {
		syscall(SYS_execveat, at, path, arguments, environment, flags);
		printf("%s\n", strerror(errno));
		fflush(stdout);
		_exit(99);
	}
	waitpid(pid, word_of_status, 0);
	printf("%s: %#x\n", what, (unsigned)*word_of_status);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		for (int i = 1; i < argc; i++)
			printf("\"%s\" ", argv[i]);
		printf("%s\n", environ[0]);
		return argc + 10;
	}
	int self = open(argv[0], O_RDONLY | O_CLOEXEC), path = open(argv[0], O_PATH | O_CLOEXEC);

	strcpy(directory, argv[0]);
	strcpy(name, strrchr(argv[0], '/') + 1);
	*strrchr(directory, '/') = '\0';

	int place = open(directory, O_DIRECTORY | O_PATH | O_CLOEXEC);

	arguments[0] = argv[0];
	arguments[1] = word[0];
	arguments[2] = strcpy(word[1] + PAGE - 2, "word");
	arguments[3] = word[2];
	environment[0] = "NAME=value";
	try("descriptor", self, empty + PAGE, AT_EMPTY_PATH);
	try("O_PATH, constant", path, const_empty + PAGE, AT_EMPTY_PATH);
	try("directory and name", place, name, 0);
	try("absolute", AT_FDCWD, argv[0], AT_SYMLINK_NOFOLLOW);
	try("no flag", self, empty + PAGE, 0);
	try("not there", place, "nonexistent_program", 0);
	try("bad descriptor", 1000, name, 0);
	try("bad flags", place, name, 1);
	try("bad pointer", place, (const char *)16, 0);
	printf("now itself\n");
	fflush(stdout);
	mark();
	fexecve(self, arguments, environment);
	perror("fexecve");
	return 1;
}
