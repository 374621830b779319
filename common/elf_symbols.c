#include "common/elf_symbols.h"
#include "common/memory_map.h"
#include "common/printable.h"

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A table is mapped with mmap, because there may be many names and the heap is small. */
struct table {
	struct elf_names found;
	size_t most;
	char *strings;
	size_t string_bytes;
};

/* Allocates memory for `most` names, followed by a copy of the string table. */
static bool table_begin(Elf *elf, size_t string_section, size_t most, struct table *table)
{
	Elf_Scn *section = elf_getscn(elf, string_section);
	Elf_Data *strings = section != NULL ? elf_rawdata(section, NULL) : NULL;
	size_t bytes;

	if (strings == NULL || strings->d_buf == NULL || strings->d_size == 0 || most == 0 ||
	    __builtin_mul_overflow(most, sizeof(struct elf_name), &bytes) ||
	    __builtin_add_overflow(bytes, strings->d_size, &bytes))
		return false;
	table->found.names = memory_map(bytes, MAP_NORESERVE);
	if (table->found.names == NULL)
		return false;
	table->most = most;
	table->strings = (char *)(table->found.names + most);
	table->string_bytes = strings->d_size;
	memcpy(table->strings, strings->d_buf, strings->d_size);
	/* A damaged file may lack the last NUL. Names are printed in lines of text. */
	table->strings[strings->d_size - 1] = '\0';
	printable_make(table->strings, strings->d_size);
	return true;
}

static void table_add(struct table *table, uint64_t start, uint64_t length, uint64_t name)
{
	if (table->found.count < table->most && name < table->string_bytes &&
	    table->strings[name] != '\0' && length > 0 && start + length > start)
		table->found.names[table->found.count++] =
		    (struct elf_name){start, start + length, table->strings + name};
}

static int by_start(const void *left, const void *right)
{
	const struct elf_name *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	/*
	 * The longer range comes first: elf_names_find() searches backward, so it finds the shorter
	 * one.
	 */
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void read_sections(Elf *elf, struct elf_symbols *symbols)
{
	struct table table = {.most = 0};
	size_t strings, most;

	if (elf_getshdrnum(elf, &most) != 0 || elf_getshdrstrndx(elf, &strings) != 0 ||
	    !table_begin(elf, strings, most, &table))
		return;
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL;
	     section = elf_nextscn(elf, section)) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) == NULL || !(header.sh_flags & SHF_ALLOC) ||
		    ((header.sh_flags & SHF_TLS) && header.sh_type == SHT_NOBITS))
			continue;
		table_add(&table, header.sh_addr, header.sh_size, header.sh_name);
	}
	qsort(table.found.names, table.found.count, sizeof(struct elf_name), by_start);
	symbols->sections = table.found;
}

static bool is_wanted(const Elf64_Sym *symbol)
{
	int type = ELF64_ST_TYPE(symbol->st_info);

	/* An absolute symbol (SHN_ABS) is a number, not an address. */
	return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
	       (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE ||
		type == STT_GNU_IFUNC);
}

/*
 * Whether it is a mapping symbol, which tells disassemblers where code and data begin: "$x" and
 * "$d" of the ELF ABIs of arm64 and RISC-V. It would hide the function that begins there.
 */
static bool is_mapping(const struct table *table, const Elf64_Sym *symbol)
{
	return ELF64_ST_TYPE(symbol->st_info) == STT_NOTYPE &&
	       ELF64_ST_BIND(symbol->st_info) == STB_LOCAL &&
	       symbol->st_name < table->string_bytes && table->strings[symbol->st_name] == '$';
}

/*
 * Copies the symbols as they are in the file. libelf's conversion to this machine's byte order
 * would change nothing, and needs tables that are relocated at every start of a loader.
 */
static void copy_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
			 struct elf_symbols *symbols)
{
	Elf_Data *data = elf_rawdata(section, NULL);
	size_t most = data != NULL ? data->d_size / sizeof(Elf64_Sym) : 0;
	struct table table = {.most = 0};

	if (most == 0 || data->d_buf == NULL || !table_begin(elf, header->sh_link, most, &table))
		return;
	for (size_t i = 0; i < most; i++) {
		Elf64_Sym symbol;

		memcpy(&symbol, (const char *)data->d_buf + i * sizeof(symbol), sizeof(symbol));
		/* Labels in assembly often have no size; they get one byte. */
		if (is_wanted(&symbol) && !is_mapping(&table, &symbol))
			table_add(&table, symbol.st_value, symbol.st_size ? symbol.st_size : 1,
				  symbol.st_name);
	}
	qsort(table.found.names, table.found.count, sizeof(struct elf_name), by_start);
	symbols->symbols = table.found;
}

static void read_symbols(Elf *elf, struct elf_symbols *symbols)
{
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL;
	     section = elf_nextscn(elf, section)) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_SYMTAB) {
			copy_symbols(elf, section, &header, symbols);
			return;
		}
	}
}

void elf_symbols_read(int descriptor, struct elf_symbols *symbols)
{
	Elf *elf = NULL;

	*symbols = (struct elf_symbols){.sections = {.count = 0}};
	if (elf_version(EV_CURRENT) != EV_NONE)
		elf = elf_begin(descriptor, ELF_C_READ_MMAP, NULL);
	if (elf == NULL)
		return;
	read_sections(elf, symbols);
	read_symbols(elf, symbols);
	elf_end(elf);
}

/*
 * How many ranges are checked, backward from an address. The range that contains it need not be the
 * last that starts before it (aliases, labels inside a function).
 */
#define LOOK_BACK 16

const struct elf_name *elf_names_find(const struct elf_names *names, uint64_t address)
{
	size_t low = 0, high = names->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (names->names[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; i > 0 && low - i < LOOK_BACK; i--)
		if (address < names->names[i - 1].end)
			return &names->names[i - 1];
	return NULL;
}
