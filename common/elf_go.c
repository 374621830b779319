/*
 * The functions of a Go program: .gopclntab, which the runtime needs, so that -s and strip leave it
 * (pcHeader, moduledata, functab and _func in src/runtime).
 */
#include "common/elf_functions.h"

#include "common/elf_sections.h"
#include "common/memory_map.h"
#include "common/printable.h"

#include <string.h>
#include <unistd.h>

/* Offsets count from the header. */
struct go_header {
	uint32_t magic;
	uint8_t zeros[2], quantum, pointer_bytes;
	uint64_t functions, files, text, names, units, file_names, positions, rows;
};

/* Sorted by start; one more row has the end of the last function. */
struct go_row {
	uint32_t start; /* counts from the first function of Go */
	uint32_t data;	/* counts from the first row */
};

struct go_data {
	uint32_t start, name;
};

/* The layout of Go 1.18 and 1.19; of Go 1.20 and later. */
#define MAGIC_1_18 0xfffffff0
#define MAGIC_1_20 0xfffffff1

static const Elf64_Shdr *find_table(const struct elf_sections *file)
{
	const Elf64_Shdr *table = elf_section_find(file, ".gopclntab");

	/* In a PIE that another linker made. */
	return table != NULL ? table : elf_section_find(file, ".data.rel.ro.gopclntab");
}

/* The names are followed by the table of units. */
static bool is_valid(const struct go_header *header, uint64_t bytes)
{
	return (header->magic == MAGIC_1_18 || header->magic == MAGIC_1_20) &&
	       header->pointer_bytes == 8 && header->names < header->units &&
	       header->units <= header->rows && header->rows < bytes && header->rows % 4 == 0 &&
	       header->functions < (bytes - header->rows) / sizeof(struct go_row);
}

/* Takes a row's function, if it is valid. A function's data has the place of its name. */
static bool take_row(const char *table, uint64_t bytes, const struct go_row *row,
		     struct elf_function *function)
{
	const struct go_header *header = (const struct go_header *)table;
	uint64_t data = header->rows + row->data;
	struct go_data at;

	if (data > bytes - sizeof(at) || row[1].start < row->start)
		return false;
	memcpy(&at, table + data, sizeof(at));
	if (at.name >= header->units - header->names)
		return false;
	*function = (struct elf_function){
	    .start = row->start,
	    .size = row[1].start - row->start,
	    .name = table + header->names + at.name,
	    .section = ".text",
	};
	return true;
}

/* The beginning of struct moduledata; the slices are tables of the section .gopclntab. */
struct go_module {
	uint64_t header, slices[6][3], find, low, high, text;
};

/* The address of Go's code in Go 1.26 and later; 0: not known. In a PIE the words may be 0. */
static uint64_t module_text(const struct elf_sections *file, uint64_t table)
{
	const Elf64_Shdr *section = elf_section_find(file, ".go.module");
	const struct go_module *module =
	    section != NULL && section->sh_size >= sizeof(*module)
		? (const struct go_module *)elf_part_read(file, section->sh_offset, sizeof(*module))
		: NULL;

	return module != NULL && module->header == table ? module->text : 0;
}

/*
 * Adds the address of Go's code. If it is not known, it is that of .text, provided that the program
 * begins in a function of Go: otherwise code of C comes first.
 */
static bool add_base(struct elf_functions *functions, uint64_t base, uint64_t text, uint64_t entry)
{
	bool begins = base != 0;

	for (size_t i = 0; i < functions->count; i++) {
		functions->functions[i].start += base != 0 ? base : text;
		begins |= functions->functions[i].start == entry;
	}
	return begins;
}

static bool take_rows(char *table, uint64_t bytes, struct elf_functions *functions)
{
	const struct go_header *header = (const struct go_header *)table;
	const struct go_row *rows = (const struct go_row *)(table + header->rows);
	uint64_t names_bytes = header->units - header->names;

	functions->functions =
	    memory_map(header->functions * sizeof(*functions->functions), MAP_NORESERVE);
	if (functions->functions == NULL)
		return false;
	for (functions->count = 0; functions->count < header->functions; functions->count++)
		if (!take_row(table, bytes, &rows[functions->count],
			      &functions->functions[functions->count]))
			return false;
	table[header->units - 1] = '\0';
	printable_make(table + header->names, names_bytes);
	return functions->count > 0;
}

bool elf_functions_from_go(int descriptor, struct elf_functions *functions)
{
	struct elf_sections file;
	const Elf64_Shdr *section, *text;
	const struct go_header *header;
	Elf64_Ehdr start;
	uint64_t base;
	char *table;

	elf_sections_read(descriptor, &file);
	section = find_table(&file);
	text = elf_section_find(&file, ".text");
	if (section == NULL || text == NULL || section->sh_size < sizeof(*header) ||
	    pread(descriptor, &start, sizeof(start), 0) != (ssize_t)sizeof(start))
		return false;
	table = elf_part_read(&file, section->sh_offset, section->sh_size);
	header = (const struct go_header *)table;
	if (table == NULL || !is_valid(header, section->sh_size) ||
	    !take_rows(table, section->sh_size, functions))
		return false;
	base = header->text != 0 ? header->text : module_text(&file, section->sh_addr);
	return add_base(functions, base, text->sh_addr, start.e_entry);
}
