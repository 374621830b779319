/*
 * Names for addresses: the sections and symbols of an ELF file, for those who watch a program run.
 * Loading needs neither. A program without them, or with nonsense in their place, has no names.
 */
#ifndef COMMON_ELF_SYMBOLS_H
#define COMMON_ELF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/* A range of addresses with a name, before the load bias is added; end is exclusive. */
struct elf_name {
	uint64_t start, end;
	const char *name; /* without control characters */
};

/* Sorted by their starts. */
struct elf_symbols {
	struct elf_name *sections; /* those in memory (SHF_ALLOC), but for thread-local .tbss */
	struct elf_name *symbols;  /* functions and objects of .symtab */
	size_t section_count, symbol_count;
};

/*
 * Reads what there is; never fails. Everything is copied into memory of its own, which is never
 * given back: the file may change or go.
 */
void elf_symbols_read(int descriptor, struct elf_symbols *symbols);

/* What an address is in, or NULL. */
const struct elf_name *elf_symbols_section(const struct elf_symbols *symbols, uint64_t address);
const struct elf_name *elf_symbols_symbol(const struct elf_symbols *symbols, uint64_t address);

#endif
