#include "common/elf_functions.h"

#include "common/memory_map.h"
#include "common/printable.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Parts of a file are copied; sizes are checked against the file's size. */
struct reading {
	int descriptor;
	uint64_t file_size;
	const Elf64_Shdr *sections;
	size_t section_count;
	char *section_names;
	uint64_t section_names_size;
};

/* Reads a part of the file and adds a NUL. Returns NULL if the file has no such part. */
static char *read_part(const struct reading *reading, uint64_t offset, uint64_t size)
{
	char *part;

	if (size == 0 || offset > reading->file_size || size > reading->file_size - offset)
		return NULL;
	part = memory_map(size + 1, 0);
	for (uint64_t done = 0; part != NULL && done < size;) {
		ssize_t got =
		    pread(reading->descriptor, part + done, size - done, (off_t)(offset + done));

		if (got <= 0)
			return NULL;
		done += (uint64_t)got;
	}
	return part;
}

static char *read_section(const struct reading *reading, uint64_t index, uint64_t *size)
{
	const Elf64_Shdr *section;

	if (index >= reading->section_count)
		return NULL;
	section = &reading->sections[index];
	*size = section->sh_size;
	return section->sh_type == SHT_NOBITS
		   ? NULL
		   : read_part(reading, section->sh_offset, section->sh_size);
}

/* A damaged file gets no sections. */
static void read_headers(struct reading *reading)
{
	struct stat status = {.st_size = 0};
	Elf64_Ehdr header;

	if (fstat(reading->descriptor, &status) != 0 || status.st_size < (off_t)sizeof(header) ||
	    pread(reading->descriptor, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr))
		return;
	reading->file_size = (uint64_t)status.st_size;
	reading->sections = (const Elf64_Shdr *)read_part(reading, header.e_shoff,
							  header.e_shnum * sizeof(Elf64_Shdr));
	if (reading->sections == NULL)
		return;
	reading->section_count = header.e_shnum;
	reading->section_names =
	    read_section(reading, header.e_shstrndx, &reading->section_names_size);
	if (reading->section_names != NULL)
		printable_make(reading->section_names, reading->section_names_size);
}

static const char *section_name(const struct reading *reading, const Elf64_Shdr *section)
{
	return reading->section_names != NULL && section->sh_name < reading->section_names_size
		   ? reading->section_names + section->sh_name
		   : "";
}

/* The first GNU build-id among notes (gABI, "Note Section"). */
static void find_build_id(const char *notes, uint64_t size, char *text)
{
	Elf64_Nhdr note;

	for (uint64_t at = 0; at + sizeof(note) <= size;) {
		uint64_t name = at + sizeof(note), value;

		memcpy(&note, notes + at, sizeof(note));
		value = name + ((note.n_namesz + UINT64_C(3)) & ~UINT64_C(3));
		if (value > size || note.n_descsz > size - value)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    memcmp(notes + name, "GNU", 4) == 0) {
			for (uint64_t i = 0; i < note.n_descsz && i < BUILD_ID_BYTES / 2; i++) {
				uint8_t byte = (uint8_t)notes[value + i];

				*text++ = "0123456789abcdef"[byte >> 4];
				*text++ = "0123456789abcdef"[byte & 15];
			}
			*text = '\0';
			return;
		}
		at = value + ((note.n_descsz + UINT64_C(3)) & ~UINT64_C(3));
	}
}

static int by_start(const void *left, const void *right)
{
	const struct elf_function *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if ((a->file == NULL) != (b->file == NULL))
		return a->file == NULL ? -1 : 1;
	return strcmp(a->name, b->name);
}

/*
 * The section that contains a function of .symtab; NULL: the symbol is not a function of this file.
 */
static const Elf64_Shdr *section_of(const struct reading *reading, const Elf64_Sym *symbol)
{
	int type = ELF64_ST_TYPE(symbol->st_info);

	if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF ||
	    symbol->st_shndx >= reading->section_count ||
	    (reading->sections[symbol->st_shndx].sh_flags & SHF_EXECINSTR) == 0)
		return NULL;
	return &reading->sections[symbol->st_shndx];
}

static bool read_symbols(const struct reading *reading, const Elf64_Shdr *table,
			 struct elf_functions *found)
{
	const Elf64_Sym *symbols =
	    (const Elf64_Sym *)read_part(reading, table->sh_offset, table->sh_size);
	size_t count = table->sh_size / sizeof(*symbols);
	uint64_t size = 0;
	char *names = read_section(reading, table->sh_link, &size);
	const char *file = "";

	if (symbols == NULL || names == NULL)
		return false;
	found->functions = memory_map(count * sizeof(*found->functions), MAP_NORESERVE);
	if (found->functions == NULL)
		return false;
	printable_make(names, size);
	for (const Elf64_Sym *symbol = symbols; symbol < symbols + count; symbol++) {
		const char *name = symbol->st_name < size ? names + symbol->st_name : "";
		const Elf64_Shdr *section = section_of(reading, symbol);

		if (ELF64_ST_TYPE(symbol->st_info) == STT_FILE)
			file = name;
		if (section == NULL || name[0] == '\0')
			continue;
		found->functions[found->count++] = (struct elf_function){
		    .start = symbol->st_value,
		    .size = symbol->st_size,
		    .name = name,
		    .section = section_name(reading, section),
		    .file = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL ? file : NULL,
		};
	}
	qsort(found->functions, found->count, sizeof(*found->functions), by_start);
	return found->count > 0;
}

bool elf_functions_read(int descriptor, struct elf_functions *functions)
{
	struct reading reading = {.descriptor = descriptor};
	const Elf64_Shdr *symbols = NULL;

	*functions = (struct elf_functions){.count = 0};
	read_headers(&reading);
	for (size_t i = 0; i < reading.section_count; i++) {
		const Elf64_Shdr *section = &reading.sections[i];
		uint64_t size;
		const char *notes;

		if (section->sh_type == SHT_SYMTAB && symbols == NULL)
			symbols = section;
		if (section->sh_type != SHT_NOTE || functions->build_id[0] != '\0')
			continue;
		notes = read_section(&reading, i, &size);
		if (notes != NULL)
			find_build_id(notes, size, functions->build_id);
	}
	return symbols != NULL && read_symbols(&reading, symbols, functions);
}
