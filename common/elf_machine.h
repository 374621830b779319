/* Which machine an ELF file is for. Pure. */
#ifndef COMMON_ELF_MACHINE_H
#define COMMON_ELF_MACHINE_H

#include "common/error.h"

#include <elf.h>

/* Refuses all but x86-64 by e_machine, as the kernel does, and names the machine. */
bool elf_machine_check(const Elf64_Ehdr *ehdr, struct error *error);

/* Whether a file with headers that are wrong for x86-64 has those of x32, its 32-bit kind. */
bool elf_machine_is_x32(const Elf64_Ehdr *ehdr);

#endif
