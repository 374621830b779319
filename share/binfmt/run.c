/*
 * LOADER.run: what binfmt_misc starts in place of a program that is registered for LOADER, which
 *lies in the same folder. With flag P the kernel passes
 *
 *	its own path, the program's path, the program's argv[0], the program's arguments
 *
 * and the loader wants
 *
 *	LOADER --argv0=NAME -- PATH ARGUMENTS
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX ".run"

int main(int argc, char **argv)
{
	size_t length = argc > 0 ? strlen(argv[0]) : 0, cut = strlen(SUFFIX);

	if (argc < 3 || length <= cut || length - cut >= PATH_MAX ||
	    strcmp(argv[0] + length - cut, SUFFIX) != 0) {
		fprintf(stderr,
			"loader.run: only binfmt_misc starts this; try loader-binfmt --help\n");
		return 125;
	}

	char loader[PATH_MAX], name[strlen("--argv0=") + strlen(argv[2]) + 1];
	char path[strlen("./") + strlen(argv[1]) + 1], *words[argc + 2];

	snprintf(loader, sizeof(loader), "%.*s", (int)(length - cut), argv[0]);
	snprintf(name, sizeof(name), "--argv0=%s", argv[2]);
	/* The kernel did not look in PATH, so that the loader must not either. */
	snprintf(path, sizeof(path), "%s%s", strchr(argv[1], '/') == NULL ? "./" : "", argv[1]);
	words[0] = loader;
	words[1] = name;
	words[2] = "--";
	words[3] = path;
	/* With the NULL that ends them. */
	memcpy(words + 4, argv + 3, (size_t)(argc - 2) * sizeof(*argv));
	execv(loader, words);
	fprintf(stderr, "%s: %s; install it, or: loader-binfmt remove\n", loader, strerror(errno));
	return 127;
}
