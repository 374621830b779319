/*
 * compare_runs FOLDER INPUT N LOADER... N OPTION... N WORD... PROGRAM [ARG]...
 *
 * Runs `WORD... PROGRAM ARG...`, and then `WORD... LOADER OPTION... PROGRAM ARG...` with each
 * LOADER, all of them with INPUT as standard input; N says how many words follow.
 * FOLDER/native.out, .err and .status are what the first one wrote and how it ended
 * (run_command.h), FOLDER/loaded.* the same of the last loader. At the first that differs it stops,
 * prints that loader, and exits with 1. A native run that had to be killed is nothing to compare
 * with: then it prints the first loader, says so, leaves no FOLDER/loaded.*, and exits with 3.
 *
 * With KEPT_NATIVE=WORD in the environment a native run is kept: the next call with the same WORD,
 * FOLDER, INPUT, WORDs, PROGRAM and environment has its result without running it again. No
 * program sees this variable, LOADERS, LOADER_OPTIONS and the next.
 *
 * With EXPECTED_WARNING=TEXT, a first line of a loader's errors in which TEXT is found is cut off.
 *
 * One process does what would be seven for each comparison in a shell: the suite makes 50 000 of
 * them.
 */
#include "run_command.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

static const char *const parts[] = {"out", "err", "status"};

enum { PARTS = sizeof(parts) / sizeof(parts[0]), FILE_NAME = 4096 };

struct words {
	char **first;
	int count;
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "compare_runs: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* Takes N and as many words from *ARGS. */
static struct words take_words(char ***args)
{
	struct words words = {*args + 1, 0};

	if (**args == NULL) {
		fprintf(stderr,
			"usage: compare_runs FOLDER INPUT N LOADER... N OPTION... N WORD... "
			"PROGRAM [ARG]...\n");
		exit(2);
	}
	words.count = atoi(**args);
	*args += 1 + words.count;
	return words;
}

static char **append(char **end, struct words words)
{
	memcpy(end, words.first, (size_t)words.count * sizeof(*end));
	return end + words.count;
}

static const char *path_of(const char *folder, const char *name, const char *part)
{
	static char file[FILE_NAME];

	snprintf(file, sizeof(file), "%s/%s.%s", folder, name, part);
	return file;
}

/* A new file each time: a process left by an earlier run may still write to the old one. */
static int create(const char *folder, const char *name, const char *part)
{
	const char *file = path_of(folder, name, part);

	unlink(file);

	int fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (fd < 0)
		fail(file);
	return fd;
}

/* Runs COMMAND as NAME; FILES are its output, its errors and its end. False: it had to be killed.
 */
static int record(const char *folder, const char *name, const char *input, char **command,
		  int *files)
{
	sigset_t original;
	char end[32];
	/* INPUT is opened here, not in the child, where a missing file would be a run like any
	   other. */
	int in = open(input, O_RDONLY);

	if (in < 0)
		fail(input);
	for (int i = 0; i < PARTS; i++)
		files[i] = create(folder, name, parts[i]);
	prepare_to_wait(&original);

	pid_t child = fork();

	if (child < 0)
		fail("fork");
	if (child == 0) {
		if (in != 0) {
			dup2(in, 0);
			close(in);
		}
		dup2(files[0], 1);
		dup2(files[1], 2);
		execute(command, &original);
	}
	close(in);
	describe_end(child, end, sizeof(end));
	sigprocmask(SIG_SETMASK, &original, NULL);
	if (write(files[2], end, strlen(end)) < 0)
		fail("write");
	return strcmp(end, TIMED_OUT) != 0;
}

/* FNV-1a: adds the texts to the hash of those before them. */
static unsigned long add_to_hash(unsigned long hash, char **texts)
{
	for (; *texts != NULL; texts++) {
		const char *at = *texts;

		do
			hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
		while (*at++ != '\0');
	}
	return hash;
}

/* The name of a native run that is kept: with a hash of all that is to be the same. */
static void name_kept(const char *kept, char *input, char **command, char *name, size_t size)
{
	unsigned long hash = add_to_hash(0xcbf29ce484222325, (char *[]){input, NULL});

	hash = add_to_hash(add_to_hash(hash, command), environ);
	snprintf(name, size, "kept-%s-%lx", kept, hash);
}

/* Makes FOLDER/TO.* the same files as FOLDER/FROM.*. False: there are none. */
static int link_all(const char *folder, const char *from, const char *to)
{
	char source[FILE_NAME];

	for (int i = 0; i < PARTS; i++) {
		snprintf(source, sizeof(source), "%s/%s.%s", folder, from, parts[i]);
		unlink(path_of(folder, to, parts[i]));
		if (link(source, path_of(folder, to, parts[i])) != 0)
			return 0;
	}
	return 1;
}

/* Takes a variable out of the environment. */
static const char *take_variable(const char *name)
{
	const char *value = getenv(name);

	unsetenv(name);
	return value;
}

/* The native run: a kept one, or a new one. False: it had to be killed. */
static int record_native(const char *folder, const char *keep, char *input, char **command,
			 int *files)
{
	char kept[64] = "";
	int ended;

	if (keep != NULL) {
		name_kept(keep, input, command, kept, sizeof(kept));
		if (link_all(folder, kept, "native")) {
			for (int i = 0; i < PARTS; i++)
				files[i] =
				    open(path_of(folder, "native", parts[i]), O_RDONLY | O_CLOEXEC);
			return 1;
		}
	}
	ended = record(folder, "native", input, command, files);
	if (keep != NULL && ended)
		link_all(folder, "native", kept);
	return ended;
}

/* Says that there is no native run to compare with, and returns status 3. */
static int no_native(const char *folder, const char *program, const struct words *loaders)
{
	for (int i = 0; i < PARTS; i++)
		unlink(path_of(folder, "loaded", parts[i]));
	if (loaders->count > 0)
		puts(loaders->first[0]);
	fprintf(stderr,
		"compare_runs: the native run of %s had to be killed after %ld seconds: there is "
		"nothing to compare with\n",
		program, seconds_allowed());
	return 3;
}

/* Cuts the first line off FILE if TEXT is in it. */
static void cut_line_with(const char *text, int file)
{
	char bytes[2 * FILE_NAME];
	ssize_t length = pread(file, bytes, sizeof(bytes) - 1, 0);
	char *end = length > 0 ? memchr(bytes, '\n', (size_t)length) : NULL;
	off_t to = 0, from;

	if (end == NULL)
		return;
	*end = '\0';
	if (strstr(bytes, text) == NULL)
		return;
	from = end + 1 - bytes;
	/* make has left O_APPEND, with which pwrite() writes at the end. */
	if (fcntl(file, F_SETFL, 0) != 0)
		fail("a loader's errors");
	while ((length = pread(file, bytes, sizeof(bytes), to + from)) > 0 &&
	       pwrite(file, bytes, (size_t)length, to) == length)
		to += length;
	if (length != 0 || ftruncate(file, to) != 0)
		fail("a loader's errors");
}

static int same_content(int one, int other)
{
	struct stat a, b;

	if (fstat(one, &a) != 0 || fstat(other, &b) != 0)
		fail("fstat");
	if (a.st_size != b.st_size || a.st_size == 0)
		return a.st_size == b.st_size;

	size_t size = (size_t)a.st_size;
	void *x = mmap(NULL, size, PROT_READ, MAP_PRIVATE, one, 0);
	void *y = mmap(NULL, size, PROT_READ, MAP_PRIVATE, other, 0);

	if (x == MAP_FAILED || y == MAP_FAILED)
		fail("mmap");

	int same = memcmp(x, y, size) == 0;

	munmap(x, size);
	munmap(y, size);
	return same;
}

int main(int argc, char **argv)
{
	char **args = argv + 3;
	int native[PARTS], loaded[PARTS], same = 1;

	if (argc < 4)
		args = argv + argc;

	struct words loaders = take_words(&args), options = take_words(&args),
		     under = take_words(&args);
	struct words program = {args, (int)(argv + argc - args)};
	char **command = calloc((size_t)argc, sizeof(*command)), **loader = append(command, under);

	append(loader, program);
	take_variable("LOADERS");
	take_variable("LOADER_OPTIONS");

	const char *warning = take_variable("EXPECTED_WARNING");

	if (!record_native(argv[1], take_variable("KEPT_NATIVE"), argv[2], command, native))
		return no_native(argv[1], program.first[0], &loaders);
	append(append(loader + 1, options), program);
	for (int i = 0; i < loaders.count && same; i++) {
		*loader = loaders.first[i];
		record(argv[1], "loaded", argv[2], command, loaded);
		if (warning != NULL)
			cut_line_with(warning, loaded[1]);
		for (int part = 0; part < PARTS; part++) {
			same = same && same_content(native[part], loaded[part]);
			close(loaded[part]);
		}
		if (!same)
			puts(*loader);
	}
	return !same;
}
