/* Finding a program as execvp and execve do, in directories made for it. */
#include "common/arch/machine.h"
#include "common/program_file.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* A user without privileges: root can read every file. */
#define NOBODY 65534

static char directory[PATH_MAX];
static char start_directory[PATH_MAX];
static char *start_path; /* NULL if it was not set */

/* ---- a directory for each test, which is the working directory while it runs ---- */

static int make_directory(void **state)
{
	const char *parent = getenv("TMPDIR");

	(void)state;
	snprintf(directory, sizeof(directory), "%s/program_file.XXXXXX",
		 parent != NULL && *parent != '\0' ? parent : "/tmp");
	if (mkdtemp(directory) == NULL || chmod(directory, 0755) != 0 || chdir(directory) != 0)
		return -1;
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static int remove_directory(void **state)
{
	(void)state;
	if (start_path != NULL)
		setenv("PATH", start_path, 1);
	else
		unsetenv("PATH");
	/* A test may have stopped while it was another user. */
	if (seteuid(getuid()) != 0 || chdir(start_directory) != 0)
		return -1;
	return nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int before_tests(void **state)
{
	const char *path = getenv("PATH");

	(void)state;
	start_path = path != NULL ? strdup(path) : NULL;
	umask(022);
	return getcwd(start_directory, sizeof(start_directory)) == NULL ? -1 : 0;
}

int after_tests(void **state)
{
	(void)state;
	free(start_path);
	return 0;
}

/* ---- files in it ---- */

/* A file of some bytes; the mode may have bits that open(2) does not set. */
static void make_file(const char *path, mode_t mode, size_t bytes)
{
	int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(descriptor >= 0);
	assert_int_equal(ftruncate(descriptor, (off_t)bytes), 0);
	close(descriptor);
	assert_int_equal(chmod(path, mode), 0);
}

static void make_program(const char *path, mode_t mode)
{
	int descriptor;

	make_file(path, 0600, 0);
	descriptor = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, "\177ELF", 4), 4);
	close(descriptor);
	assert_int_equal(chmod(path, mode), 0);
}

static void make_directories(const char *first, const char *second)
{
	assert_int_equal(mkdir(first, 0755), 0);
	if (second != NULL)
		assert_int_equal(mkdir(second, 0755), 0);
}

/* Sets PATH. A D in it stands for the test's own directory. */
static void set_path(const char *format)
{
	char path[8 * sizeof(directory)] = "";

	for (; *format != '\0'; format++) {
		size_t length = strlen(path);

		if (*format == 'D')
			snprintf(path + length, sizeof(path) - length, "%s", directory);
		else
			path[length] = *format;
	}
	assert_int_equal(setenv("PATH", path, 1), 0);
}

static const char *in_directory(const char *name)
{
	static char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

/* ---- assertions ---- */

/* Closes the file, and frees the path that a search in PATH allocated. */
static void close_found(const char *name, const struct program_file *file)
{
	close(file->descriptor);
	if (strchr(name, '/') == NULL)
		free((void *)(uintptr_t)file->path);
}

static void assert_found(const char *name, const char *path)
{
	struct program_file file = {0};
	struct error error;
	struct stat opened, there;

	if (!program_file_open(name, &file, &error))
		fail_msg("%s: %s", name, error.text);
	assert_string_equal(file.path, path);
	assert_int_equal(fstat(file.descriptor, &opened), 0);
	assert_int_equal(stat(path, &there), 0);
	assert_int_equal(opened.st_ino, there.st_ino);
	assert_int_equal(file.size, there.st_size);
	assert_int_equal(fcntl(file.descriptor, F_GETFD), FD_CLOEXEC);
	close_found(name, &file);
}

static void assert_refused(const char *name, enum exit_status status, const char *sentence)
{
	struct program_file file = {0};
	struct error error;

	assert_false(program_file_open(name, &file, &error));
	assert_string_equal(error.text, sentence);
	assert_int_equal(error.status, status);
}

#define NO_SUCH_FILE  "no such file: check its path"
#define NOT_IN_PATH   "no such file in PATH: check its name"
#define NO_PERMISSION "may not be executed: permission is missing; chmod +x it"
#define NOT_REGULAR                                                                                \
	"is not a regular file: name one, or pass a program on standard input, as in LOADER - "    \
	"<FILE"

/* Each test has a new directory. */
#define FILE_TEST(name) TEST_WITHIN(name, make_directory, remove_directory)

/* ---- names with a slash ---- */

FILE_TEST(a_name_with_a_slash_is_a_path)
{
	make_directories("sub", NULL);
	make_file("prog", 0755, 10);
	make_file("sub/prog", 0755, 20);
	assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
	assert_found("./prog", "./prog");
	assert_found("sub/prog", "sub/prog");
	assert_found("sub/../prog", "sub/../prog");
	assert_found(in_directory("prog"), in_directory("prog"));
}

FILE_TEST(a_symbolic_link_is_followed)
{
	make_file("prog", 0755, 10);
	assert_int_equal(symlink("prog", "link"), 0);
	assert_int_equal(symlink("nothing", "dangling"), 0);
	assert_int_equal(symlink("circle", "circle"), 0);
	assert_found("./link", "./link");
	assert_refused("./dangling", EXIT_NOT_FOUND, NO_SUCH_FILE);
	assert_refused("./circle", EXIT_NOT_LOADABLE,
		       "cannot be opened: Too many levels of symbolic links; check its path");
}

FILE_TEST(a_path_that_leads_nowhere_is_not_found)
{
	make_file("prog", 0755, 10);
	assert_refused("./nothing", EXIT_NOT_FOUND, NO_SUCH_FILE);
	assert_refused("nothing/prog", EXIT_NOT_FOUND, NO_SUCH_FILE);
	assert_refused("./prog/prog", EXIT_NOT_LOADABLE,
		       "cannot be opened: Not a directory; check its path");
}

FILE_TEST(no_name_is_not_found)
{
	set_path("D");
	assert_refused("", EXIT_NOT_FOUND, "the program's name is empty: name one");
}

FILE_TEST(what_may_not_be_executed_is_not_loadable)
{
	make_program("data", 0644);
	assert_refused("./data", EXIT_NOT_LOADABLE, NO_PERMISSION);
}

FILE_TEST(only_regular_files_are_loadable)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(descriptor >= 0);
	assert_int_equal(bind(descriptor, (struct sockaddr *)&address, sizeof(address)), 0);
	close(descriptor);
	/* Opened for reading, a fifo would wait for a writer. */
	assert_int_equal(mkfifo("fifo", 0755), 0);
	make_directories("sub", NULL);
	assert_refused("./sub", EXIT_NOT_LOADABLE, "is a directory: name a program in it");
	assert_refused("sub/", EXIT_NOT_LOADABLE, "is a directory: name a program in it");
	assert_refused("./fifo", EXIT_NOT_LOADABLE, NOT_REGULAR);
	assert_refused("./socket", EXIT_NOT_LOADABLE, NOT_REGULAR);
	assert_refused("/dev/null", EXIT_NOT_LOADABLE, NOT_REGULAR);
}

/* The kernel could run it, a loader cannot. */
/*
 * Whether NOBODY reaches the folder, but may not read ./secret. Before glibc 2.33 faccessat answers
 * for the real user.
 */
static bool is_asked_as_nobody(void)
{
	return faccessat(AT_FDCWD, directory, X_OK, AT_EACCESS) == 0 &&
	       faccessat(AT_FDCWD, "secret", R_OK, AT_EACCESS) != 0;
}

FILE_TEST(what_may_only_be_executed_says_so)
{
	make_file("secret", 0711, 10);
	if (geteuid() != 0)
		assert_int_equal(chmod("secret", 0111), 0);
	else if (seteuid(NOBODY) != 0 || !is_asked_as_nobody())
		skip();
	assert_refused("./secret", EXIT_NOT_LOADABLE,
		       geteuid() == NOBODY
			   ? "may be executed but not read, and a loader has to read it: ask its "
			     "owner to chmod +r it"
			   : "may be executed but not read, and a loader has to read it: chmod +r "
			     "it");
}

FILE_TEST(a_privilege_that_exec_would_give_is_noticed)
{
	static const struct {
		mode_t mode;
		bool sets_id;
	} cases[] = {
	    {0755, false},  {04755, true},  {02755, true},
	    {06755, true},  {02745, false}, /* without group execution the bit means something else
					     */
	    {01755, false},
	};

	make_file("prog", 0755, 10);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct program_file file;
		struct error error;

		assert_int_equal(chmod("prog", cases[i].mode), 0);
		assert_true(program_file_open("./prog", &file, &error));
		assert_int_equal(file.sets_id, cases[i].sets_id);
		close(file.descriptor);
	}
}

/* ---- names without a slash ---- */

FILE_TEST(a_name_is_looked_up_in_path_in_order)
{
	make_directories("a", "b");
	make_file("b/prog", 0755, 20);
	set_path("D/a:D/b");
	assert_found("prog", in_directory("b/prog"));
	make_file("a/prog", 0755, 10);
	assert_found("prog", in_directory("a/prog"));
	set_path("D/b:D/a");
	assert_found("prog", in_directory("b/prog"));
}

FILE_TEST(the_working_directory_is_not_searched_unasked)
{
	make_directories("a", NULL);
	make_program("prog", 0755);
	set_path("D/a");
	assert_refused("prog", EXIT_NOT_FOUND, "no such file in PATH: did you mean ./prog?");
}

/* At the start, in the middle, at the end, alone: the name alone is the path, as for execvp. */
FILE_TEST(an_empty_element_is_the_working_directory)
{
	make_directories("a", "b");
	make_file("prog", 0755, 10);
	set_path(":D/a");
	assert_found("prog", "prog");
	set_path("D/a::D/b");
	assert_found("prog", "prog");
	set_path("D/a:");
	assert_found("prog", "prog");
	set_path("");
	assert_found("prog", "prog");
	make_file("b/prog", 0755, 20);
	set_path("D/b:");
	assert_found("prog", in_directory("b/prog"));
	set_path("D/a:D/b:");
	assert_found("prog", in_directory("b/prog"));
}

FILE_TEST(relative_directories_stay_relative)
{
	make_directories("a", "b");
	make_file("b/prog", 0755, 20);
	set_path("a:b");
	assert_found("prog", "b/prog");
	set_path("./b/");
	assert_found("prog", "./b//prog");
}

FILE_TEST(without_path_the_system_directories_are_searched)
{
	struct program_file file = {0};
	struct error error;

	make_file("sh", 0755, 10);
	assert_int_equal(unsetenv("PATH"), 0);
	assert_true(program_file_open("sh", &file, &error));
	assert_true(strcmp(file.path, "/bin/sh") == 0 || strcmp(file.path, "/usr/bin/sh") == 0);
	close_found("sh", &file);
	assert_refused("no-program-of-this-name", EXIT_NOT_FOUND, NOT_IN_PATH);
}

/* Directories that are not there, or are none, do not end the search. */
FILE_TEST(directories_that_do_not_exist_are_passed_over)
{
	make_directories("b", NULL);
	make_file("file", 0644, 10);
	make_file("b/prog", 0755, 20);
	set_path("D/nowhere:D/file:D/b");
	assert_found("prog", in_directory("b/prog"));
	set_path("D/nowhere:D/file");
	assert_refused("prog", EXIT_NOT_FOUND, NOT_IN_PATH);
}

FILE_TEST(what_may_not_be_executed_is_passed_over)
{
	make_directories("a", "b");
	make_file("a/prog", 0644, 10);
	make_file("b/prog", 0755, 20);
	set_path("D/a:D/b");
	assert_found("prog", in_directory("b/prog"));
}

/* If no later directory has the program, the error names the file that was passed over. */
FILE_TEST(what_was_passed_over_is_remembered)
{
	make_directories("a", "b");
	make_program("a/prog", 0644);
	set_path("D/a:D/b:D/nowhere");
	assert_refused("prog", EXIT_NOT_LOADABLE, NO_PERMISSION);
}

/* Like execvp: the search ends at an error that may have another cause than a missing file. */
FILE_TEST(a_file_that_cannot_be_reached_is_not_an_absent_one)
{
	make_directories("a", "b");
	assert_int_equal(symlink("circle", "a/circle"), 0);
	set_path("D/a:D/b");
	assert_refused("circle", EXIT_NOT_LOADABLE,
		       "cannot be opened: Too many levels of symbolic links; check its path");
}

/* A file in the working directory changes nothing of the reason. */
FILE_TEST(the_reason_is_that_of_the_file_in_path)
{
	make_directories("a", "prog");
	make_program("a/prog", 0644);
	set_path("D/a");
	assert_refused("prog", EXIT_NOT_LOADABLE, NO_PERMISSION);
}

FILE_TEST(a_directory_of_that_name_is_passed_over)
{
	make_directories("a", "b");
	make_directories("a/prog", NULL);
	make_file("b/prog", 0755, 20);
	set_path("D/a:D/b");
	assert_found("prog", in_directory("b/prog"));
}

/* Like env(1), which gets EACCES. */
FILE_TEST(a_directory_of_that_name_alone_is_not_loadable)
{
	struct program_file file = {0};
	struct error error;

	make_directories("a", "a/prog");
	set_path("D/a");
	assert_false(program_file_open("prog", &file, &error));
	assert_int_equal(error.status, EXIT_NOT_LOADABLE);
}

/* ---- what is no program, and what is nearly one ---- */

FILE_TEST(permission_is_not_what_text_lacks)
{
	FILE *text = fopen("text", "we");

	assert_non_null(text);
	fputs("echo caf\xc3\xa9\n", text);
	fclose(text);
	make_file("zeros", 0644, 10);
	make_file("empty", 0644, 0);
	assert_refused("./text", EXIT_NOT_LOADABLE,
		       "is text, not an ELF file: a script needs a first line such as #!/bin/sh");
	assert_refused("./zeros", EXIT_NOT_LOADABLE, "is not an ELF file: name " MACHINE_PROGRAM);
	assert_refused("./empty", EXIT_NOT_LOADABLE, "is not an ELF file: name " MACHINE_PROGRAM);
}

static void assert_meant(const char *name, const char *where, const char *meant)
{
	char sentence[PATH_MAX + 64];

	snprintf(sentence, sizeof(sentence), "no such file%s: did you mean %s?", where, meant);
	assert_refused(name, EXIT_NOT_FOUND, sentence);
}

FILE_TEST(the_program_that_was_meant_is_in_the_same_folder)
{
	char meant[PATH_MAX];

	make_directories("sub", "sub/prog3");
	make_program("prog1", 0755);
	make_program("sub/prog2", 0755);
	make_program("sub/prog1", 0755);
	make_file("sub/prog", 0644, 10);
	make_file("sub/prog4x", 0755, 10);
	set_path("D/sub");
	assert_meant("./prg1", "", "./prog1");
	assert_meant("./PROG1", "", "./prog1");
	assert_meant("sub//porg2", "", "sub//prog2");
	snprintf(meant, sizeof(meant), "%s", in_directory("prog1"));
	assert_meant(in_directory("prog11"), "", meant);
	/*
	 * The first of two. No folder, no file that may not be executed, no file that is not a
	 * program.
	 */
	assert_meant("sub/prog4", "", "sub/prog1");
	/* A similar name in another folder is not offered. */
	assert_refused("./prog2x", EXIT_NOT_FOUND, "no such file: did you mean ./prog1?");
	assert_refused("sub/", EXIT_NOT_LOADABLE, "is a directory: name a program in it");
	assert_refused("nosub/prog1", EXIT_NOT_FOUND, NO_SUCH_FILE);
	assert_refused("sub/xyzzy", EXIT_NOT_FOUND, NO_SUCH_FILE);
}

FILE_TEST(or_in_path_or_here)
{
	make_directories("a", "b");
	make_program("b/busybox", 0755);
	make_program("here", 0755);
	set_path("D/a::D/nowhere:D/b");
	assert_meant("busyobx", " in PATH", "busybox");
	set_path("D/a:D/b");
	assert_meant("here", " in PATH", "./here");
	assert_meant("herre", " in PATH", "./here");
	set_path("");
	assert_meant("herre", " in PATH", "here");
}

/* A folder that may not be read offers no similar name. */
FILE_TEST(a_closed_folder_offers_nothing)
{
	make_directories("sub", NULL);
	make_file("sub/prog1", 0755, 10);
	assert_int_equal(chmod("sub", 0311), 0);
	if (geteuid() == 0 &&
	    (seteuid(NOBODY) != 0 || faccessat(AT_FDCWD, directory, X_OK, AT_EACCESS) != 0))
		skip();
	assert_refused("sub/prg1", EXIT_NOT_FOUND, NO_SUCH_FILE);
	if (geteuid() != NOBODY)
		assert_int_equal(chmod("sub", 0755), 0);
}

/* ---- names and directories of absurd lengths ---- */

/* execvp, too, distinguishes a name that no file can have from one that no file has. */
FILE_TEST(a_name_that_is_too_long_is_not_loadable)
{
	static char name[8192], path[8192 + 2];

	set_path("D:/bin");
	memset(name, 'n', 256);
	snprintf(path, sizeof(path), "./%s", name);
	assert_refused(path, EXIT_NOT_LOADABLE,
		       "cannot be opened: File name too long; check its path");
	assert_refused(name, EXIT_NOT_LOADABLE,
		       "cannot be opened: File name too long; check its path");
	memset(name, 'n', sizeof(name) - 1);
	snprintf(path, sizeof(path), "./%s", name);
	assert_refused(path, EXIT_NOT_LOADABLE,
		       "cannot be opened: File name too long; check its path");
	assert_refused(name, EXIT_NOT_LOADABLE,
		       "cannot be opened: File name too long; check its path");
}

FILE_TEST(a_directory_that_is_too_long_is_passed_over)
{
	static char path[3 * 8192];
	char *end;

	make_directories("b", NULL);
	make_file("b/prog", 0755, 20);
	memset(path, 'd', 8192);
	end = path + 8192;
	snprintf(end, sizeof(path) - 8192, ":%s", in_directory("b"));
	assert_int_equal(setenv("PATH", path, 1), 0);
	assert_found("prog", in_directory("b/prog"));
}
