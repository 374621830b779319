/*
 * LOADER.run: what binfmt_misc starts in place of a program that is registered for LOADER, which
 *lies in the same folder. With flag P the kernel passes
 *
 *	its own path, the program's path, the program's argv[0], the program's arguments
 *
 * and the loader wants
 *
 *	LOADER [--profile=auto] --argv0=NAME -- PATH ARGUMENTS
 *
 * Where PATH is the interpreter of a script, the auxiliary vector names the script, which is among
 * the arguments. The loader is given the script then, and finds the interpreter itself: the process
 * is named after the script.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define SUFFIX ".run"

/* A loader's helper with this in its name, hybrid_loader.profile.run, gives it --profile=auto. */
#define PROFILE ".profile"

/* Which argument was started: PATH, or the script whose interpreter PATH is. */
static int started_among(int argc, char **argv)
{
	const char *started = (const char *)getauxval(AT_EXECFN);

	if (started != NULL && strcmp(started, argv[1]) != 0) {
		for (int i = 3; i < argc; i++) {
			if (strcmp(argv[i], started) == 0)
				return i;
		}
	}
	return 1;
}

/*
 * Copies the path that the loader is to open into `path`, and closes the descriptor by which the
 * kernel has opened PATH (flag O). A link below /proc, like /proc/self/exe, names another file here
 * than in the process that called exec. The descriptor's path is that of the right file.
 */
static void path_to_open(const char *started, bool is_script, char *path, size_t size)
{
	int descriptor;
	char link[64];
	ssize_t length = -1;

	errno = 0;
	descriptor = (int)getauxval(AT_EXECFD);
	if (errno == 0) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
		if (!is_script && strncmp(started, "/proc/", strlen("/proc/")) == 0)
			length = readlink(link, path, size - 1);
		close(descriptor);
	}
	if (length > 0)
		path[length] = '\0';
	else /* The kernel did not look in PATH, so that the loader must not either. */
		snprintf(path, size, "%s%s", strchr(started, '/') == NULL ? "./" : "", started);
}

/* Cuts the ending off, if the path has it. */
static bool cut_off(char *path, const char *ending)
{
	size_t length = strlen(path), cut = strlen(ending);

	if (length <= cut || strcmp(path + length - cut, ending) != 0)
		return false;
	path[length - cut] = '\0';
	return true;
}

int main(int argc, char **argv)
{
	size_t length = argc > 0 ? strlen(argv[0]) : 0, cut = strlen(SUFFIX);

	if (argc < 3 || length <= cut || length - cut >= PATH_MAX ||
	    strcmp(argv[0] + length - cut, SUFFIX) != 0) {
		fprintf(stderr,
			"loader.run: only binfmt_misc starts this; try loader-binfmt --help\n");
		return 125;
	}

	int started = started_among(argc, argv), rest = started == 1 ? 3 : started + 1;
	char loader[PATH_MAX], name[strlen("--argv0=") + strlen(argv[2]) + 1];
	char path[PATH_MAX + sizeof("./")], *words[argc + 3], **word = words;

	snprintf(loader, sizeof(loader), "%.*s", (int)(length - cut), argv[0]);
	snprintf(name, sizeof(name), "--argv0=%s", argv[2]);
	path_to_open(argv[started], started != 1, path, sizeof(path));
	*word++ = loader;
	if (cut_off(loader, PROFILE))
		*word++ = "--profile=auto";
	*word++ = name;
	*word++ = "--";
	*word++ = path;
	/* The NULL that ends the arguments is copied, too. */
	memcpy(word, argv + rest, (size_t)(argc - rest + 1) * sizeof(*argv));
	execv(loader, words);
	fprintf(stderr, "%s: %s; install it, or: loader-binfmt remove\n", loader, strerror(errno));
	return 127;
}
