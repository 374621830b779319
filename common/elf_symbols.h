/*
 * Names for addresses: the sections and symbols of an ELF file, for reports about a program's run.
 * Loading does not need them. A program without them, or with invalid ones, has no names.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A range of addresses with a name, before the load bias is added; end is exclusive. */
struct elf_name {
	uint64_t start, end;
	const char *name; /* without control characters */
};

/* Sorted by start. */
struct elf_names {
	struct elf_name *names;
	size_t count;
};

struct elf_symbols {
	struct elf_names sections; /* sections in memory (SHF_ALLOC), except thread-local .tbss */
	struct elf_names symbols;  /* functions and objects of .symtab */
};

/*
 * Reads the names that exist; never fails. Everything is copied into memory that is never freed,
 * because the file may change or disappear.
 */
void elf_symbols_read(int descriptor, struct elf_symbols *symbols);

/* The entry that contains an address, or NULL. */
const struct elf_name *elf_names_find(const struct elf_names *names, uint64_t address);
