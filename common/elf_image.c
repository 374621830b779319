#include "common/elf_image.h"
#include "common/elf_machine.h"
#include "common/page.h"

#include <errno.h>
#include <libelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Most linkers put the program headers right after the ELF header: one read gets both. */
#define FIRST_READ_BYTES 1024

/* The start of the file. */
struct file_start {
	union {
		Elf64_Ehdr ehdr;
		char bytes[FIRST_READ_BYTES];
	};
	ssize_t length; /* bytes that were read; fewer than the buffer's in a small file */
};

static bool not_loadable(struct error *error, const char *text)
{
	return error_set(error, EXIT_NOT_LOADABLE, "%s", text);
}

static bool unreadable(struct error *error)
{
	return error_set(error, EXIT_NOT_LOADABLE, "cannot be read: %s; copy it to another disk",
			 strerror(errno));
}

/*
 * Reads up to `length` bytes at an offset. Returns the number of bytes, which is short only at the
 * end of the file, or -1.
 */
static ssize_t read_at(int descriptor, char *buffer, size_t length, uint64_t offset)
{
	size_t done = 0;

	for (ssize_t n = 1; done < length && n != 0; done += (size_t)n) {
		n = pread(descriptor, buffer + done, length - done, (off_t)(offset + done));
		if (n < 0)
			return -1;
	}
	return (ssize_t)done;
}

/*
 * Converts bytes of a file to structs in place. elf_begin() would rely on fields of e_ident that
 * the kernel does not check. So this passes libelf what the kernel assumes.
 */
static bool take(void *bytes, size_t length, Elf_Type type, struct error *error)
{
	Elf_Data file = {.d_buf = bytes, .d_type = type, .d_version = EV_CURRENT, .d_size = length};
	Elf_Data memory = file;

	return (elf_version(EV_CURRENT) != EV_NONE &&
		elf64_xlatetom(&memory, &file, ELFDATA2LSB) != NULL) ||
	       error_set(error, EXIT_NOT_LOADABLE, "cannot be parsed: %s; " ERROR_DAMAGED,
			 elf_errmsg(-1));
}

/* The checks of load_elf_binary and load_elf_phdrs for the ELF header. */
static bool check_header(const Elf64_Ehdr *ehdr, struct error *error)
{
	if (!elf_machine_check(ehdr, error))
		return false;
	if (ehdr->e_type == ET_REL)
		return not_loadable(error, "is an object file, e_type 1: link it into a program");
	if (ehdr->e_type == ET_CORE)
		return not_loadable(error,
				    "is a core file, e_type 4: name the program that dumped it");
	if (ehdr->e_type != ET_EXEC && ehdr->e_type != ET_DYN)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "is not a program: e_type is %u, not %u (ET_EXEC) or %u (ET_DYN); "
				 "build it or copy it again",
				 ehdr->e_type, ET_EXEC, ET_DYN);
	if (ehdr->e_phentsize != sizeof(Elf64_Phdr) && elf_machine_is_ilp32(ehdr))
		return not_loadable(error, MACHINE_IS_ILP32);
	if (ehdr->e_phentsize != sizeof(Elf64_Phdr))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "has e_phentsize %u, not %zu: " ERROR_DAMAGED, ehdr->e_phentsize,
				 sizeof(Elf64_Phdr));
	if (ehdr->e_phnum < 1 || ehdr->e_phnum > ELF_HEADERS_MAX)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "has %u program headers, and not 1 to %d: " ERROR_DAMAGED,
				 ehdr->e_phnum, ELF_HEADERS_MAX);
	return true;
}

/*
 * Copies the program headers from the part of the file that has been read, or reads them beyond it.
 */
static bool read_segments(int descriptor, const struct file_start *start, struct elf_image *image,
			  struct error *error)
{
	size_t bytes = image->phnum * sizeof(*image->segments);
	ssize_t length = (ssize_t)bytes;
	uint64_t end;

	if (!checked_add(image->phoff, bytes, &end) || end > INT64_MAX)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "has its program headers at offset 0x%lx, beyond the end of any "
				 "file: " ERROR_DAMAGED,
				 image->phoff);
	image->segments = malloc(bytes);
	if (image->segments == NULL)
		return error_no_memory(error, "for its headers");
	if (end <= (uint64_t)start->length)
		memcpy(image->segments, start->bytes + image->phoff, bytes);
	else
		length = read_at(descriptor, (char *)image->segments, bytes, image->phoff);
	if (length < 0)
		return unreadable(error);
	if (length < (ssize_t)bytes)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "ends inside its program headers (0x%lx to 0x%lx): " ERROR_CUT_OFF,
				 image->phoff, end);
	return take(image->segments, bytes, ELF_T_PHDR, error);
}

static const Elf64_Phdr *find_interpreter(const struct elf_image *image)
{
	/* Like the kernel, the loader uses only the first PT_INTERP. */
	for (unsigned i = 0; i < image->phnum; i++)
		if (image->segments[i].p_type == PT_INTERP)
			return &image->segments[i];
	return NULL;
}

bool elf_interpreter_read(int descriptor, struct elf_image *image, struct error *error)
{
	const Elf64_Phdr *segment = find_interpreter(image);
	char *path;

	if (segment == NULL)
		return true;
	if (segment->p_filesz < 2 || segment->p_filesz > PATH_MAX ||
	    segment->p_offset > INT64_MAX - PATH_MAX)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "has a PT_INTERP of %lu bytes at 0x%lx; a path has from 2 to "
				 "%d: " ERROR_DAMAGED,
				 segment->p_filesz, segment->p_offset, PATH_MAX);
	path = malloc(segment->p_filesz);
	if (path == NULL)
		return error_no_memory(error, "for its PT_INTERP");
	if (read_at(descriptor, path, segment->p_filesz, segment->p_offset) !=
		(ssize_t)segment->p_filesz ||
	    path[segment->p_filesz - 1] != '\0') {
		free(path);
		return not_loadable(error, "has a PT_INTERP that is cut off: " ERROR_DAMAGED);
	}
	image->interpreter = path;
	return true;
}

bool elf_image_read(int descriptor, uint64_t file_size, struct elf_image *image,
		    struct error *error)
{
	struct file_start start;

	image->kind = FILE_KIND_UNREADABLE;
	start.length = read_at(descriptor, start.bytes, sizeof(start.bytes), 0);
	if (start.length < 0)
		return unreadable(error);
	image->kind = file_kind_of(start.bytes, (size_t)start.length);
	if (image->kind != FILE_KIND_ELF)
		return file_kind_refuse(image->kind, error);
	if (start.length < (ssize_t)sizeof(start.ehdr))
		return error_set(
		    error, EXIT_NOT_LOADABLE,
		    "ends after %zd bytes, inside its ELF header of 64: " ERROR_CUT_OFF,
		    start.length);
	if (!take(&start.ehdr, sizeof(start.ehdr), ELF_T_EHDR, error) ||
	    !check_header(&start.ehdr, error))
		return false;
	image->type = start.ehdr.e_type;
	image->entry = start.ehdr.e_entry;
	image->phoff = start.ehdr.e_phoff;
	image->phnum = start.ehdr.e_phnum;
	image->file_size = file_size;
	image->interpreter = NULL;
	return read_segments(descriptor, &start, image, error);
}
