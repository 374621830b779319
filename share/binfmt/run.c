/*
 * LOADER.run: what binfmt_misc starts in place of a program that is registered for LOADER, which
 *lies in the same folder. With flag P the kernel passes
 *
 *	its own path, the program's path, the program's argv[0], the program's arguments
 *
 * and the loader wants
 *
 *	LOADER --argv0=NAME -- PATH ARGUMENTS
 *
 * Where PATH is the interpreter of a script, the auxiliary vector names the script, which is among
 *the arguments. The loader is given the script then, and finds the interpreter itself: the process
 *is named after the script.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define SUFFIX ".run"

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
	char path[strlen("./") + strlen(argv[started]) + 1], *words[argc + 2];

	snprintf(loader, sizeof(loader), "%.*s", (int)(length - cut), argv[0]);
	snprintf(name, sizeof(name), "--argv0=%s", argv[2]);
	/* The kernel did not look in PATH, so that the loader must not either. */
	snprintf(path, sizeof(path), "%s%s", strchr(argv[started], '/') == NULL ? "./" : "",
		 argv[started]);
	words[0] = loader;
	words[1] = name;
	words[2] = "--";
	words[3] = path;
	/* With the NULL that ends them. */
	memcpy(words + 4, argv + rest, (size_t)(argc - rest + 1) * sizeof(*argv));
	execv(loader, words);
	fprintf(stderr, "%s: %s; install it, or: loader-binfmt remove\n", loader, strerror(errno));
	return 127;
}
