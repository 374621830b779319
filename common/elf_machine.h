/* The machine that an ELF file is for. Pure. */
#pragma once

#include "common/error.h"

#include <elf.h>

/* Refuses all machines but this one by e_machine, as the kernel does, and names the machine. */
bool elf_machine_check(const Elf64_Ehdr *ehdr, struct error *error);

/*
 * Whether the invalid headers of a file are those of a program for this machine with 32-bit
 * addresses.
 */
bool elf_machine_is_ilp32(const Elf64_Ehdr *ehdr);
