#include "common/elf_machine.h"
#include "common/arch/machine.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Older versions of elf.h lack these. */
#define MACHINE_RISCV	  243
#define MACHINE_LOONGARCH 258

/* Arrays of characters need no relocation at the start of a loader; arrays of pointers do. */
static const struct {
	uint16_t machine;
	char name[16];
} machines[] = {
    {EM_SPARC, "SPARC"},       {EM_SPARC32PLUS, "SPARC"}, {EM_SPARCV9, "SPARC 64-bit"},
    {EM_386, "i386"},	       {EM_68K, "m68k"},	  {EM_MIPS, "MIPS"},
    {EM_PARISC, "PA-RISC"},    {EM_PPC, "PowerPC"},	  {EM_PPC64, "PowerPC 64-bit"},
    {EM_S390, "s390"},	       {EM_ARM, "ARM"},		  {EM_SH, "SuperH"},
    {EM_IA_64, "Itanium"},     {EM_X86_64, "x86-64"},	  {EM_AARCH64, "AArch64"},
    {MACHINE_RISCV, "RISC-V"}, {EM_BPF, "BPF"},		  {MACHINE_LOONGARCH, "LoongArch"},
};

static const char *name_of(unsigned machine)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return NULL;
}

static bool check_class(const Elf64_Ehdr *ehdr, struct error *error)
{
	if (!MACHINE_HAS_CLASS || ehdr->e_ident[EI_CLASS] == ELFCLASS64)
		return true;
	if (elf_machine_is_ilp32(ehdr))
		return error_set(error, EXIT_NOT_LOADABLE, MACHINE_IS_ILP32);
	return error_set(error, EXIT_NOT_LOADABLE, "has EI_CLASS %u, not %u: " ERROR_DAMAGED,
			 ehdr->e_ident[EI_CLASS], ELFCLASS64);
}

bool elf_machine_check(const Elf64_Ehdr *ehdr, struct error *error)
{
	unsigned machine = ehdr->e_machine;
	const char *name;

	if (machine == MACHINE_ELF)
		return check_class(ehdr, error);
	/*
	 * The kernel does not check EI_DATA. But in a big-endian file the bytes of e_machine are
	 * swapped, and only EI_DATA shows that.
	 */
	if (ehdr->e_ident[EI_DATA] == ELFDATA2MSB)
		machine = __builtin_bswap16(ehdr->e_machine);
	name = name_of(machine);
	if (machine == MACHINE_ELF_32)
		return error_set(error, EXIT_NOT_LOADABLE, MACHINE_IS_32);
	if (name == NULL)
		return error_set(
		    error, EXIT_NOT_LOADABLE,
		    "is for another machine: e_machine is %u, not %u; build it for " MACHINE_NAME,
		    ehdr->e_machine, MACHINE_ELF);
	return error_set(error, EXIT_NOT_LOADABLE,
			 "is for another machine: %s (e_machine %u); build it for " MACHINE_NAME,
			 name, machine);
}

bool elf_machine_is_ilp32(const Elf64_Ehdr *ehdr)
{
	Elf32_Ehdr narrow;

	memcpy(&narrow, ehdr, sizeof(narrow));
	return narrow.e_ident[EI_CLASS] == ELFCLASS32 && narrow.e_machine == MACHINE_ELF &&
	       narrow.e_phentsize == sizeof(Elf32_Phdr);
}
