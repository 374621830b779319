/*
 * Calls what the loaders call of libelf. Never run: whether it can be linked is what the build asks
 * (probe.sh).
 */
#include <gelf.h>
#include <libelf.h>
#include <stddef.h>

int main(int count, char **words)
{
	Elf *elf = elf_begin(count, ELF_C_READ, NULL), *image = elf_memory(words[0], 64);
	Elf_Scn *section = elf_nextscn(elf, elf_getscn(elf, 1));
	GElf_Ehdr header;
	GElf_Phdr segment;
	GElf_Shdr section_header;
	size_t number;

	return elf_version(EV_CURRENT) == EV_NONE || gelf_getehdr(image, &header) == NULL ||
	       gelf_getphdr(image, 0, &segment) == NULL || elf_getshdrnum(elf, &number) != 0 ||
	       elf_getshdrstrndx(elf, &number) != 0 || elf_rawdata(section, NULL) == NULL ||
	       gelf_getshdr(section, &section_header) == NULL || elf_end(elf) != 0 ||
	       elf_errmsg(-1) == NULL;
}
