#include "common/elf_sections.h"

#include "common/memory_map.h"
#include "common/printable.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *elf_part_read(const struct elf_sections *sections, uint64_t offset, uint64_t size)
{
	char *part;

	if (size == 0 || offset > sections->file_size || size > sections->file_size - offset)
		return NULL;
	part = memory_map(size + 1, 0);
	for (uint64_t done = 0; part != NULL && done < size;) {
		ssize_t got =
		    pread(sections->descriptor, part + done, size - done, (off_t)(offset + done));

		if (got <= 0)
			return NULL;
		done += (uint64_t)got;
	}
	return part;
}

char *elf_section_read(const struct elf_sections *sections, uint64_t index, uint64_t *size)
{
	const Elf64_Shdr *section;

	if (index >= sections->count)
		return NULL;
	section = &sections->sections[index];
	*size = section->sh_size;
	return section->sh_type == SHT_NOBITS
		   ? NULL
		   : elf_part_read(sections, section->sh_offset, section->sh_size);
}

void elf_sections_read(int descriptor, struct elf_sections *sections)
{
	struct stat status = {.st_size = 0};
	Elf64_Ehdr header;

	*sections = (struct elf_sections){.descriptor = descriptor};
	if (fstat(descriptor, &status) != 0 || status.st_size < (off_t)sizeof(header) ||
	    pread(descriptor, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr))
		return;
	sections->file_size = (uint64_t)status.st_size;
	sections->sections = (const Elf64_Shdr *)elf_part_read(sections, header.e_shoff,
							       header.e_shnum * sizeof(Elf64_Shdr));
	if (sections->sections == NULL)
		return;
	sections->count = header.e_shnum;
	sections->names = elf_section_read(sections, header.e_shstrndx, &sections->names_size);
	if (sections->names != NULL)
		printable_make(sections->names, sections->names_size);
}

const char *elf_section_name(const struct elf_sections *sections, const Elf64_Shdr *section)
{
	return sections->names != NULL && section->sh_name < sections->names_size
		   ? sections->names + section->sh_name
		   : "";
}

const Elf64_Shdr *elf_section_find(const struct elf_sections *sections, const char *name)
{
	for (size_t i = 0; i < sections->count; i++) {
		const Elf64_Shdr *section = &sections->sections[i];

		if (section->sh_type != SHT_NOBITS &&
		    strcmp(elf_section_name(sections, section), name) == 0)
			return section;
	}
	return NULL;
}
