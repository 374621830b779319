#include "common/elf_image.h"
#include "common/page.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

/* The start of the file, and, where the table is not there, the ELF header and the table. */
union header_bytes {
	Elf64_Ehdr ehdr;
	char bytes[sizeof(Elf64_Ehdr) + 65536];
};

static bool not_loadable(struct error *error, const char *text)
{
	return error_set(error, EXIT_NOT_LOADABLE, "%s", text);
}

/* Reads up to length bytes at offset; the number read, or -1. Short only at the end of file. */
static ssize_t read_at(int descriptor, char *buffer, size_t length, uint64_t offset)
{
	size_t done = 0;

	while (done < length) {
		ssize_t n = pread(descriptor, buffer + done, length - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/* The rules of load_elf_binary and load_elf_phdrs for the ELF header. */
static bool check_header(const Elf64_Ehdr *ehdr, ssize_t length, struct error *error)
{
	if (length < SELFMAG || memcmp(ehdr->e_ident, ELFMAG, SELFMAG) != 0) {
		if (length >= 2 && memcmp(ehdr->e_ident, "#!", 2) == 0)
			return not_loadable(error, "is a script: name its interpreter instead, as "
						   "in LOADER INTERPRETER SCRIPT");
		return not_loadable(error, "is not an ELF file");
	}
	if (length < (ssize_t)sizeof(*ehdr))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "ends after %zd bytes, inside its ELF header of 64", length);
	if (ehdr->e_machine == EM_386)
		return not_loadable(error, "is a 32-bit x86 program; only x86-64 ones can be run");
	if (ehdr->e_machine != EM_X86_64)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "is for another machine: e_machine is %u, not %u (x86-64)",
				 ehdr->e_machine, EM_X86_64);
	if (ehdr->e_type != ET_EXEC && ehdr->e_type != ET_DYN)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "is not a program: e_type is %u, not %u (ET_EXEC) or %u (ET_DYN)",
				 ehdr->e_type, ET_EXEC, ET_DYN);
	if (ehdr->e_phentsize != sizeof(Elf64_Phdr))
		return error_set(error, EXIT_NOT_LOADABLE, "has e_phentsize %u, not %zu",
				 ehdr->e_phentsize, sizeof(Elf64_Phdr));
	if (ehdr->e_phnum < 1 || ehdr->e_phnum > ELF_HEADERS_MAX)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "has %u program headers; from 1 to %d can be loaded",
				 ehdr->e_phnum, ELF_HEADERS_MAX);
	return true;
}

/*
 * Puts the program headers right behind the ELF header, wherever the file has them, so that
 * libelf gets a small complete file in memory. The kernel ignores e_ident behind the magic number
 * and so must we: libelf would read a file marked as 32-bit or big-endian differently.
 */
static bool gather_headers(int descriptor, union header_bytes *headers, struct error *error)
{
	size_t table_bytes = headers->ehdr.e_phnum * sizeof(Elf64_Phdr);
	uint64_t table_offset = headers->ehdr.e_phoff, table_end;
	ssize_t length;

	if (!checked_add(table_offset, table_bytes, &table_end) || table_end > INT64_MAX)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "has its program headers at offset 0x%lx, beyond any file",
				 table_offset);
	length =
	    read_at(descriptor, headers->bytes + sizeof(Elf64_Ehdr), table_bytes, table_offset);
	if (length < 0)
		return error_set(error, EXIT_NOT_LOADABLE, "cannot be read: %s", strerror(errno));
	if ((size_t)length < table_bytes)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "ends inside its program headers (0x%lx to 0x%lx)", table_offset,
				 table_end);
	headers->ehdr.e_ident[EI_CLASS] = ELFCLASS64;
	headers->ehdr.e_ident[EI_DATA] = ELFDATA2LSB;
	headers->ehdr.e_ident[EI_VERSION] = EV_CURRENT;
	headers->ehdr.e_version = EV_CURRENT;
	headers->ehdr.e_ehsize = sizeof(Elf64_Ehdr);
	headers->ehdr.e_phoff = sizeof(Elf64_Ehdr);
	headers->ehdr.e_shoff = 0;
	headers->ehdr.e_shnum = 0;
	headers->ehdr.e_shstrndx = SHN_UNDEF;
	return true;
}

static bool copy_segments(Elf *elf, struct elf_image *image)
{
	for (int i = 0; i < image->phnum; i++) {
		struct elf_segment *segment = &image->segments[i];
		GElf_Phdr phdr;

		if (gelf_getphdr(elf, i, &phdr) == NULL)
			return false;
		*segment = (struct elf_segment){
		    .type = phdr.p_type,
		    .flags = phdr.p_flags,
		    .offset = phdr.p_offset,
		    .vaddr = phdr.p_vaddr,
		    .filesz = phdr.p_filesz,
		    .memsz = phdr.p_memsz,
		    .align = phdr.p_align,
		};
	}
	return true;
}

/* Hands the gathered headers to libelf and copies what it makes of them. */
static bool parse(union header_bytes *headers, struct elf_image *image, struct error *error)
{
	size_t length = sizeof(Elf64_Ehdr) + headers->ehdr.e_phnum * sizeof(Elf64_Phdr);
	bool done = false;
	GElf_Ehdr ehdr;
	Elf *elf = NULL;

	if (elf_version(EV_CURRENT) != EV_NONE)
		elf = elf_memory(headers->bytes, length);
	if (elf != NULL && gelf_getehdr(elf, &ehdr) != NULL) {
		image->type = ehdr.e_type;
		image->entry = ehdr.e_entry;
		image->phnum = ehdr.e_phnum;
		done = copy_segments(elf, image);
	}
	if (!done)
		error_set(error, EXIT_NOT_LOADABLE, "cannot be parsed: %s", elf_errmsg(-1));
	elf_end(elf);
	return done;
}

/* The kernel looks at the first PT_INTERP only; so do we. */
static bool read_interpreter(int descriptor, struct elf_image *image, struct error *error)
{
	image->interpreter[0] = '\0';
	for (unsigned i = 0; i < image->phnum; i++) {
		const struct elf_segment *segment = &image->segments[i];
		ssize_t length;

		if (segment->type != PT_INTERP)
			continue;
		if (segment->filesz < 2 || segment->filesz > PATH_MAX ||
		    segment->offset > INT64_MAX - PATH_MAX)
			return error_set(error, EXIT_NOT_LOADABLE,
					 "has a PT_INTERP of %lu bytes at 0x%lx; a path has from 2 "
					 "to %d",
					 segment->filesz, segment->offset, PATH_MAX);
		length = read_at(descriptor, image->interpreter, segment->filesz, segment->offset);
		if (length != (ssize_t)segment->filesz || image->interpreter[length - 1] != '\0')
			return not_loadable(error, "has a PT_INTERP that is cut off");
		return true;
	}
	return true;
}

bool elf_image_read(int descriptor, uint64_t file_size, struct elf_image *image,
		    struct error *error)
{
	static union header_bytes headers;
	ssize_t length = read_at(descriptor, headers.bytes, sizeof(Elf64_Ehdr), 0);

	if (length < 0)
		return error_set(error, EXIT_NOT_LOADABLE, "cannot be read: %s", strerror(errno));
	if (!check_header(&headers.ehdr, length, error))
		return false;
	image->file_size = file_size;
	image->phoff = headers.ehdr.e_phoff;
	return gather_headers(descriptor, &headers, error) && parse(&headers, image, error) &&
	       read_interpreter(descriptor, image, error);
}
