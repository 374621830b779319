/*
 * process_exec [show]: a failed execve leaves the program and its handlers as they were, with
 * arguments on any page. Then an execve succeeds, with arguments in an untouched .bss.
 */
#include "guest.h"

enum { WORDS = PAGE / sizeof(char *), MANY = 70 };

static char area[64][PAGE], *arguments[3 * WORDS], *environment[3 * WORDS], *large[MANY + 2];
static char argument[3][2 * PAGE];
static char text[128 * 1024 + PAGE], protected[4 * PAGE] __attribute__((aligned(4096)));
static char *const constant[2 * WORDS] = {[WORDS - 1] = "constant", [WORDS] = "show"};
static volatile int handled;

static void on_fault(int number, siginfo_t *info, void *context)
{
	handled += (char *)info->si_addr == protected + PAGE && number == SIGSEGV;
	mprotect(protected, sizeof(protected), PROT_READ | PROT_WRITE);
}

static void still_works(int number)
{
	mprotect(protected, sizeof(protected), PROT_NONE);
	*(volatile char *)(protected + PAGE) = 1;
	for (int i = 0; i < 3; i++)
		area[3 * number + i][i] = 1;
	printf("handled %d\n", handled);
}

static void try(const char *what, int expected, const char *path, char *const *list,
		char *const *variables)
{
	static int number;

	errno = 0;
	execve(path, list, variables);
	printf("%s: %s\n", what, errno == expected ? "yes" : strerror(errno));
	still_works(number++);
}

static void fail(const char *self)
{
	char *const nowhere = (char *)16, *bad_list[] = {"name", nowhere, NULL};

	try("ENOENT", ENOENT, area[40], arguments, environment);
	try("ENOENT for a name", ENOENT, "/nonexistent/program", arguments, environment);
	try("EACCES for a directory", EACCES, "/", arguments, environment);
	try("EACCES for a file", EACCES, "/proc/self/maps", constant, environment);
	try("ENOTDIR", ENOTDIR, "/dev/null/program", constant, environment);
	try("EFAULT for the path", EFAULT, nowhere, arguments, environment);
	try("EFAULT for the list", EFAULT, self, (char *const *)nowhere, environment);
	try("EFAULT for an argument", EFAULT, self, bad_list, environment);
	try("EFAULT for the environment", EFAULT, self, arguments, (char *const *)nowhere);
	try("EFAULT for a variable", EFAULT, self, arguments, bad_list);
	memset(text, 'x', sizeof(text) - 1);
	large[0] = text;
	try("E2BIG for one string", E2BIG, self, large, environment);
	for (int i = 0; i < MANY; i++)
		large[i] = text + PAGE;
	try("E2BIG for all of them", E2BIG, self, large, environment);
	large[3] = NULL;
	try("ENAMETOOLONG", ENAMETOOLONG, text, large, environment);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[argc - 1], "show") == 0) {
		for (int i = 0; i<argc; i += argc> 20 ? 100 : 1)
			printf("%d \"%s\"\n", i, i == 1 && argc > 2 ? "" : argv[i]);
		printf("variable \"%s\"\n", environ[0]);
		check("no second one", environ[1] == NULL);
		if (argc == 2)
			return 33;
		fflush(stdout);
		execve(argv[1], constant + WORDS - 1, environ);
		return 1;
	}
	setrlimit(RLIMIT_STACK, &(struct rlimit){8 << 20, RLIM_INFINITY});
	HANDLE_INFO(on_fault, 0, SIGSEGV);
	fail(argv[0]);
	arguments[0] = argument[0];
	arguments[1] = strcpy(argument[1], argv[0]);
	for (int i = 2; i < (int)WORDS + 5; i++)
		arguments[i] = argument[2] + i * 7;
	arguments[WORDS + 5] = "show";
	environment[0] = strcpy(area[50] + PAGE - 3, "NAME=across two pages");
	printf("now itself\n");
	fflush(stdout);
	mark();
	execve(argv[0], arguments, environment);
	perror("execve");
	return 1;
}
