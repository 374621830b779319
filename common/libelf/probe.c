/*
 * Calls every function of libelf that the loaders call. Never run: the build tests whether it can
 * be linked (probe.sh).
 */
#include <gelf.h>
#include <libelf.h>
#include <stddef.h>

int main(int count)
{
	Elf *elf = elf_begin(count, ELF_C_READ, NULL);
	Elf_Scn *section = elf_nextscn(elf, elf_getscn(elf, 1));
	Elf_Data data = {.d_version = EV_CURRENT};
	GElf_Shdr header;
	size_t number;

	return elf_version(EV_CURRENT) == EV_NONE ||
	       elf64_xlatetom(&data, &data, ELFDATA2LSB) == NULL ||
	       elf_getshdrnum(elf, &number) != 0 || elf_getshdrstrndx(elf, &number) != 0 ||
	       elf_rawdata(section, NULL) == NULL || gelf_getshdr(section, &header) == NULL ||
	       elf_end(elf) != 0 || elf_errmsg(-1) == NULL;
}
