/* program: what the headers of an ELF file say about the program in it. */
#include "program.h"
#include "say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Reads all of it, or stops: a file that ends too early is no program. */
static void read_at(const struct program *program, void *place, size_t size, uint64_t offset)
{
	if (pread(program->file, place, size, (off_t)offset) != (ssize_t)size)
		stop(STATUS_NOT_LOADABLE, program->path, "the file is too short");
}

static void check_header(const struct program *program, const Elf64_Ehdr *header)
{
	const char *reason = NULL;

	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
		reason = "not an ELF file";
	else if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != MACHINE)
		reason = "not for this processor";
	else if (header->e_type != ET_EXEC)
		reason = "not a program at a fixed address";
	else if (header->e_phentsize != sizeof(Elf64_Phdr))
		reason = "program headers of a strange size";
	if (reason != NULL)
		stop(STATUS_NOT_LOADABLE, program->path, reason);
}

static int protection_of(uint32_t flags)
{
	return (flags & PF_R ? PROT_READ : 0) | (flags & PF_W ? PROT_WRITE : 0) |
	       (flags & PF_X ? PROT_EXEC : 0);
}

static void add_segment(struct program *program, const Elf64_Phdr *header)
{
	struct segment *segment = &program->segments[program->count];

	if (program->count == MAX_SEGMENTS)
		stop(STATUS_NOT_LOADABLE, program->path, "too many segments");
	if (header->p_filesz > header->p_memsz ||
	    header->p_vaddr + header->p_memsz < header->p_vaddr ||
	    (header->p_vaddr - header->p_offset) % PAGE_SIZE != 0)
		stop(STATUS_NOT_LOADABLE, program->path, "a segment that cannot be mapped");

	segment->start = page_down(header->p_vaddr);
	segment->file_end =
	    header->p_filesz > 0 ? header->p_vaddr + header->p_filesz : segment->start;
	segment->end = page_up(header->p_vaddr + header->p_memsz);
	segment->offset = (off_t)page_down(header->p_offset);
	segment->protection = protection_of(header->p_flags);
	program->count++;
}

static bool covers(const Elf64_Phdr *segment, uint64_t offset)
{
	return offset >= segment->p_offset && offset - segment->p_offset < segment->p_filesz;
}

static void read_headers(struct program *program, uint64_t offset)
{
	for (size_t i = 0; i < program->header_count; i++) {
		Elf64_Phdr header;

		read_at(program, &header, sizeof(header), offset + i * sizeof(header));
		if (header.p_type == PT_INTERP)
			stop(STATUS_NOT_LOADABLE, program->path, "dynamically linked");
		if (header.p_type != PT_LOAD || header.p_memsz == 0)
			continue;
		add_segment(program, &header);
		if (covers(&header, offset))
			program->headers = header.p_vaddr + (offset - header.p_offset);
	}
	if (program->count == 0)
		stop(STATUS_NOT_LOADABLE, program->path, "nothing to load");
}

void read_program(struct program *program, const char *path)
{
	Elf64_Ehdr header;

	program->path = path;
	program->file = open(path, O_RDONLY | O_CLOEXEC);
	if (program->file < 0)
		stop(STATUS_NOT_FOUND, path, strerror(errno));
	read_at(program, &header, sizeof(header), 0);
	check_header(program, &header);
	program->entry = header.e_entry;
	program->header_count = header.e_phnum;
	read_headers(program, header.e_phoff);
}

const struct segment *find_segment(const struct program *program, uintptr_t address)
{
	for (size_t i = 0; i < program->count; i++) {
		const struct segment *segment = &program->segments[i];

		if (address >= segment->start && address < segment->end)
			return segment;
	}
	return NULL;
}
