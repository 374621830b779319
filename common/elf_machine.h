/* Which machine an ELF file is for. Pure. */
#ifndef COMMON_ELF_MACHINE_H
#define COMMON_ELF_MACHINE_H

#include "common/error.h"

#include <elf.h>

/* Refuses all machines but this one by e_machine, as the kernel does, and names the machine. */
bool elf_machine_check(const Elf64_Ehdr *ehdr, struct error *error);

/*
 * Whether a file with headers that are wrong has those of the kind of program that this machine has
 * with addresses of 32 bits.
 */
bool elf_machine_is_ilp32(const Elf64_Ehdr *ehdr);

#endif
