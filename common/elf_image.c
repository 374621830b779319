#include "common/elf_image.h"
#include "common/elf_machine.h"
#include "common/page.h"

#include <errno.h>
#include <gelf.h>
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
	ssize_t length; /* read; less than all of it in a small file */
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

/* Reads up to length bytes at offset; the number read, or -1. Short only at the end of file. */
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

/* The rules of load_elf_binary and load_elf_phdrs for the ELF header. */
static bool check_header(const Elf64_Ehdr *ehdr, ssize_t length, struct error *error)
{
	if (length < (ssize_t)sizeof(*ehdr))
		return error_set(
		    error, EXIT_NOT_LOADABLE,
		    "ends after %zd bytes, inside its ELF header of 64: " ERROR_CUT_OFF, length);
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
	if (ehdr->e_phentsize != sizeof(Elf64_Phdr) && elf_machine_is_x32(ehdr))
		return not_loadable(error, "is a 32-bit x86-64 program (x32): build it with -m64");
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
 * Makes a small complete file in memory for libelf: the ELF header, and right after it the program
 * headers, wherever the file has them. The kernel ignores e_ident after the magic number, and so
 * must we: libelf would read a file marked as 32-bit or big-endian differently.
 */
static void adapt_header(Elf64_Ehdr *ehdr)
{
	ehdr->e_ident[EI_CLASS] = ELFCLASS64;
	ehdr->e_ident[EI_DATA] = ELFDATA2LSB;
	ehdr->e_ident[EI_VERSION] = EV_CURRENT;
	ehdr->e_version = EV_CURRENT;
	ehdr->e_ehsize = sizeof(Elf64_Ehdr);
	ehdr->e_phoff = sizeof(Elf64_Ehdr);
	ehdr->e_shoff = 0;
	ehdr->e_shnum = 0;
	ehdr->e_shstrndx = SHN_UNDEF;
}

static bool gather_headers(int descriptor, const struct file_start *start, char **headers,
			   struct error *error)
{
	size_t table_bytes = start->ehdr.e_phnum * sizeof(Elf64_Phdr);
	uint64_t offset = start->ehdr.e_phoff, end;
	ssize_t length = (ssize_t)table_bytes;

	if (!checked_add(offset, table_bytes, &end) || end > INT64_MAX)
		return error_set(
		    error, EXIT_NOT_LOADABLE,
		    "has its program headers at offset 0x%lx, beyond any file: " ERROR_DAMAGED,
		    offset);
	*headers = malloc(sizeof(Elf64_Ehdr) + table_bytes);
	if (*headers == NULL)
		return error_no_memory(error, "for its headers");
	memcpy(*headers, &start->ehdr, sizeof(Elf64_Ehdr));
	adapt_header((Elf64_Ehdr *)*headers);
	if (end <= (uint64_t)start->length)
		memcpy(*headers + sizeof(Elf64_Ehdr), start->bytes + offset, table_bytes);
	else
		length = read_at(descriptor, *headers + sizeof(Elf64_Ehdr), table_bytes, offset);
	if (length == (ssize_t)table_bytes)
		return true;
	free(*headers);
	if (length < 0)
		return unreadable(error);
	return error_set(error, EXIT_NOT_LOADABLE,
			 "ends inside its program headers (0x%lx to 0x%lx): " ERROR_CUT_OFF, offset,
			 end);
}

static struct elf_segment segment_of(const Elf64_Phdr *phdr)
{
	return (struct elf_segment){
	    .type = phdr->p_type,
	    .flags = phdr->p_flags,
	    .offset = phdr->p_offset,
	    .vaddr = phdr->p_vaddr,
	    .filesz = phdr->p_filesz,
	    .memsz = phdr->p_memsz,
	    .align = phdr->p_align,
	};
}

static bool begin_image(const Elf64_Ehdr *ehdr, struct elf_image *image, struct error *error)
{
	image->type = ehdr->e_type;
	image->entry = ehdr->e_entry;
	image->phnum = ehdr->e_phnum;
	image->segments = malloc(image->phnum * sizeof(*image->segments));
	return image->segments != NULL || error_no_memory(error, "for its headers");
}

/*
 * Whether the header is as nearly every header is, and the table of program headers can be read
 * where it lies in what was read of the file. That saves a start 1 us: a page of the heap, and
 * forty cache lines of libelf.
 */
static bool is_plain(const struct file_start *start)
{
	static const uint8_t ident[] = {ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
	uint64_t offset = start->ehdr.e_phoff, length = (uint64_t)start->length;

	return memcmp(start->ehdr.e_ident + EI_CLASS, ident, sizeof(ident)) == 0 &&
	       offset % _Alignof(Elf64_Phdr) == 0 && offset <= length &&
	       start->ehdr.e_phnum * sizeof(Elf64_Phdr) <= length - offset;
}

static bool parse_plain(const struct file_start *start, struct elf_image *image,
			struct error *error)
{
	const Elf64_Phdr *table = (const Elf64_Phdr *)(start->bytes + start->ehdr.e_phoff);

	if (!begin_image(&start->ehdr, image, error))
		return false;
	for (int i = 0; i < image->phnum; i++)
		image->segments[i] = segment_of(&table[i]);
	return true;
}

/* Hands the gathered headers to libelf and copies what it makes of them. */
static bool parse_by_libelf(char *headers, uint16_t phnum, struct elf_image *image,
			    struct error *error)
{
	size_t length = sizeof(Elf64_Ehdr) + phnum * sizeof(Elf64_Phdr);
	Elf *elf = elf_version(EV_CURRENT) != EV_NONE ? elf_memory(headers, length) : NULL;
	GElf_Phdr phdr;
	GElf_Ehdr ehdr;
	int done = 0;

	if (elf != NULL && gelf_getehdr(elf, &ehdr) != NULL) {
		if (!begin_image(&ehdr, image, error))
			return false;
		for (; done < phnum && gelf_getphdr(elf, done, &phdr) != NULL; done++)
			image->segments[done] = segment_of(&phdr);
	}
	if (done < phnum)
		error_set(error, EXIT_NOT_LOADABLE, "cannot be parsed: %s; " ERROR_DAMAGED,
			  elf_errmsg(-1));
	elf_end(elf);
	free(headers);
	return done == phnum;
}

static const struct elf_segment *find_interpreter(const struct elf_image *image)
{
	/* The kernel looks at the first PT_INTERP only, and so does the loader. */
	for (unsigned i = 0; i < image->phnum; i++)
		if (image->segments[i].type == PT_INTERP)
			return &image->segments[i];
	return NULL;
}

bool elf_interpreter_read(int descriptor, struct elf_image *image, struct error *error)
{
	const struct elf_segment *segment = find_interpreter(image);
	char *path;

	if (segment == NULL)
		return true;
	if (segment->filesz < 2 || segment->filesz > PATH_MAX ||
	    segment->offset > INT64_MAX - PATH_MAX)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "has a PT_INTERP of %lu bytes at 0x%lx; a path has from 2 to "
				 "%d: " ERROR_DAMAGED,
				 segment->filesz, segment->offset, PATH_MAX);
	path = malloc(segment->filesz);
	if (path == NULL)
		return error_no_memory(error, "for its PT_INTERP");
	if (read_at(descriptor, path, segment->filesz, segment->offset) !=
		(ssize_t)segment->filesz ||
	    path[segment->filesz - 1] != '\0') {
		free(path);
		return not_loadable(error, "has a PT_INTERP that is cut off: " ERROR_DAMAGED);
	}
	image->interpreter = path;
	return true;
}

static bool read_image(int descriptor, uint64_t file_size, bool by_libelf, struct elf_image *image,
		       struct error *error)
{
	struct file_start start;
	char *headers = NULL;

	image->kind = FILE_KIND_UNREADABLE;
	start.length = read_at(descriptor, start.bytes, sizeof(start.bytes), 0);
	if (start.length < 0)
		return unreadable(error);
	image->kind = file_kind_of(start.bytes, (size_t)start.length);
	if (image->kind != FILE_KIND_ELF)
		return file_kind_refuse(image->kind, error);
	if (!check_header(&start.ehdr, start.length, error))
		return false;
	image->file_size = file_size;
	image->phoff = start.ehdr.e_phoff;
	image->interpreter = NULL;
	if (!by_libelf && is_plain(&start))
		return parse_plain(&start, image, error);
	return gather_headers(descriptor, &start, &headers, error) &&
	       parse_by_libelf(headers, start.ehdr.e_phnum, image, error);
}

bool elf_image_read(int descriptor, uint64_t file_size, struct elf_image *image,
		    struct error *error)
{
	return read_image(descriptor, file_size, false, image, error);
}

bool elf_image_read_by_libelf(int descriptor, uint64_t file_size, struct elf_image *image,
			      struct error *error)
{
	return read_image(descriptor, file_size, true, image, error);
}
