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
struct elf_names {
	struct elf_name *names;
	size_t count;
};

struct elf_symbols {
	struct elf_names sections; /* those in memory (SHF_ALLOC), but for thread-local .tbss */
	struct elf_names symbols;  /* functions and objects of .symtab */
};

/*
 * Reads what there is; never fails. Everything is copied into memory of its own, which is never
 * given back: the file may change or go.
 */
void elf_symbols_read(int descriptor, struct elf_symbols *symbols);

/* What an address is in, or NULL. */
const struct elf_name *elf_names_find(const struct elf_names *names, uint64_t address);

#endif
