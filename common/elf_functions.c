#include "common/elf_functions.h"

#include "common/elf_sections.h"
#include "common/memory_map.h"
#include "common/printable.h"

#include <stdlib.h>
#include <string.h>

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

/* The section that contains a function; NULL: the symbol is not a function of this file. */
static const Elf64_Shdr *section_of(const struct elf_sections *file, const Elf64_Sym *symbol)
{
	int type = ELF64_ST_TYPE(symbol->st_info);

	if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF ||
	    symbol->st_shndx >= file->count ||
	    (file->sections[symbol->st_shndx].sh_flags & SHF_EXECINSTR) == 0)
		return NULL;
	return &file->sections[symbol->st_shndx];
}

/* Whether only its source file knows a function. lld and gold make hidden functions local, too. */
static bool is_local(const Elf64_Sym *symbol)
{
	return ELF64_ST_BIND(symbol->st_info) == STB_LOCAL &&
	       ELF64_ST_VISIBILITY(symbol->st_other) == STV_DEFAULT;
}

static bool read_symbols(const struct elf_sections *file, const Elf64_Shdr *table,
			 struct elf_functions *found)
{
	const Elf64_Sym *symbols =
	    (const Elf64_Sym *)elf_part_read(file, table->sh_offset, table->sh_size);
	size_t count = table->sh_size / sizeof(*symbols);
	uint64_t size = 0;
	char *names = elf_section_read(file, table->sh_link, &size);
	const char *source = "";

	if (symbols == NULL || names == NULL)
		return false;
	found->functions = memory_map(count * sizeof(*found->functions), MAP_NORESERVE);
	if (found->functions == NULL)
		return false;
	printable_make(names, size);
	for (const Elf64_Sym *symbol = symbols; symbol < symbols + count; symbol++) {
		const char *name = symbol->st_name < size ? names + symbol->st_name : "";
		const Elf64_Shdr *section = section_of(file, symbol);

		if (ELF64_ST_TYPE(symbol->st_info) == STT_FILE)
			source = name;
		if (section == NULL || name[0] == '\0')
			continue;
		found->functions[found->count++] = (struct elf_function){
		    .start = symbol->st_value,
		    .size = symbol->st_size,
		    .name = name,
		    .section = elf_section_name(file, section),
		    .file = is_local(symbol) ? source : NULL,
		};
	}
	qsort(found->functions, found->count, sizeof(*found->functions), by_start);
	return found->count > 0;
}

bool elf_functions_read(int descriptor, struct elf_functions *functions)
{
	struct elf_sections file;
	const Elf64_Shdr *symbols = NULL;

	*functions = (struct elf_functions){.count = 0};
	elf_sections_read(descriptor, &file);
	for (size_t i = 0; i < file.count; i++) {
		const Elf64_Shdr *section = &file.sections[i];
		uint64_t size;
		const char *notes;

		if (section->sh_type == SHT_SYMTAB && symbols == NULL)
			symbols = section;
		if (section->sh_type != SHT_NOTE || functions->build_id[0] != '\0')
			continue;
		notes = elf_section_read(&file, i, &size);
		if (notes != NULL)
			find_build_id(notes, size, functions->build_id);
	}
	return symbols != NULL && read_symbols(&file, symbols, functions);
}

/* Puts two sorted lists into one. A function that has a name needs no line without one. */
static bool join(struct elf_functions *list, const struct elf_functions *exported)
{
	size_t all = list->count + exported->count, count = 0;
	struct elf_function *both = memory_map(all * sizeof(*both), MAP_NORESERVE);

	if (both == NULL)
		return false;
	for (size_t i = 0; i < all; i++)
		both[i] =
		    i < list->count ? list->functions[i] : exported->functions[i - list->count];
	qsort(both, all, sizeof(*both), by_start);
	for (size_t i = 0; i < all; i++) {
		bool is_twice = (i > 0 && both[i - 1].start == both[i].start) ||
				(i + 1 < all && both[i + 1].start == both[i].start);

		if (!is_twice || strcmp(both[i].name, ELF_NO_NAME) != 0)
			both[count++] = both[i];
	}
	list->functions = both;
	list->count = count;
	return true;
}

bool elf_functions_add_exported(int descriptor, struct elf_functions *functions)
{
	struct elf_functions exported = {.count = 0};
	struct elf_sections file;

	elf_sections_read(descriptor, &file);
	for (size_t i = 0; i < file.count; i++)
		if (file.sections[i].sh_type == SHT_DYNSYM)
			return read_symbols(&file, &file.sections[i], &exported) &&
			       join(functions, &exported);
	return false;
}
