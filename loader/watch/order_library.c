#include "common/arch/machine.h"
#include "loader/resident/base/order.h"
#include "loader/watch/order_names.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where ld.so of glibc and of musl look last, on the distributions that there are. */
#define SYSTEM_FOLDERS                                                                             \
	"/lib/" MACHINE_TRIPLET "-gnu:/usr/lib/" MACHINE_TRIPLET "-gnu:/lib64:/usr/lib64:"         \
	"/lib:/usr/lib:/usr/local/lib:/lib/" MACHINE_TRIPLET "-musl:/usr/lib/" MACHINE_TRIPLET     \
	"-musl"

/* Opens a name in one of the folders, which colons separate; negative: it is in none. */
static int open_in(const char *folders, const char *name)
{
	char path[PATH_MAX];

	while (folders != NULL && *folders != '\0') {
		size_t length = strcspn(folders, ":");
		int file = -1;

		if (snprintf(path, sizeof(path), "%.*s/%s", (int)length, folders, name) <
		    (int)sizeof(path))
			file = open(path, O_RDONLY | O_CLOEXEC);
		if (file >= 0)
			return file;
		folders += length + (folders[length] == ':');
	}
	return -1;
}

static int open_library(const struct guest *guest, const char *name)
{
	int file;

	if (strchr(name, '/') != NULL)
		return open(name, O_RDONLY | O_CLOEXEC);
	file = open_in(guest->options.library_path, name);
	if (file < 0)
		file = open_in(getenv("LD_LIBRARY_PATH"), name);
	return file >= 0 ? file : open_in(SYSTEM_FOLDERS, name);
}

const struct object *order_library_open(const struct guest *guest, struct error *error)
{
	static struct object library;
	const char *name = guest->options.order_of;
	off_t size;

	library.file.descriptor = open_library(guest, name);
	if (library.file.descriptor < 0) {
		error_set(error, EXIT_OURS, "--order-of=%.256s cannot be read: %s; name its path",
			  name, strerror(errno));
		return NULL;
	}
	size = lseek(library.file.descriptor, 0, SEEK_END);
	if (!elf_image_read(library.file.descriptor, (uint64_t)size, &library.image, error)) {
		error_set(error, EXIT_OURS,
			  "--order-of=%.256s is no library; name one that the program loads", name);
		return NULL;
	}
	resident_order.library = library.file.descriptor;
	return &library;
}
