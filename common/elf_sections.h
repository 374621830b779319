/*
 * The sections of an ELF file. Host code; does not use libelf, so that tools do not need it. A part
 * of the file that is read is copied into memory that is never freed, because the file may change
 * or disappear.
 */
#pragma once

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

/* A file without section headers, or a damaged one, has no sections. */
struct elf_sections {
	int descriptor;
	uint64_t file_size;
	const Elf64_Shdr *sections;
	size_t count;
	char *names; /* without control characters */
	uint64_t names_size;
};

/* Reads the section headers. */
void elf_sections_read(int descriptor, struct elf_sections *sections);

/* The name of a section; "": it has none. */
const char *elf_section_name(const struct elf_sections *sections, const Elf64_Shdr *section);

/* The first section with this name that has bytes in the file, or NULL. */
const Elf64_Shdr *elf_section_find(const struct elf_sections *sections, const char *name);

/*
 * Reads a part of the file, whose size is checked against that of the file, and adds a NUL. NULL:
 * the file has no such part.
 */
char *elf_part_read(const struct elf_sections *sections, uint64_t offset, uint64_t size);

/* Reads the section with this index, and its size. NULL: it has no bytes in the file. */
char *elf_section_read(const struct elf_sections *sections, uint64_t index, uint64_t *size);
