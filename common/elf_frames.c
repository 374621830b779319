#include "common/elf_functions.h"
#include "common/memory_map.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

/*
 * .eh_frame_hdr, as linkers write it (LSB, "The .eh_frame_hdr section"): the version, three
 * encodings, the address of .eh_frame, the number of rows, and the rows, sorted by their starts.
 * Starts are relative to the header's own address.
 */
struct frame_header {
	uint8_t version, pointer, count, table;
	int32_t frames;
	uint32_t rows;
};

struct frame_row {
	int32_t start, description;
};

/* DW_EH_PE_udata4; DW_EH_PE_datarel | DW_EH_PE_sdata4: no linker writes others. */
#define COUNT_ENCODING 0x03
#define TABLE_ENCODING 0x3b

/* The program header of .eh_frame_hdr. */
static bool find_header(int descriptor, Elf64_Phdr *found)
{
	Elf64_Ehdr header;

	if (pread(descriptor, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(*found))
		return false;
	for (unsigned i = 0; i < header.e_phnum; i++)
		if (pread(descriptor, found, sizeof(*found),
			  (off_t)(header.e_phoff + i * sizeof(*found))) ==
			(ssize_t)sizeof(*found) &&
		    found->p_type == PT_GNU_EH_FRAME)
			return true;
	return false;
}

bool elf_functions_from_frames(int descriptor, struct elf_functions *functions)
{
	struct frame_header header;
	const struct frame_row *rows;
	Elf64_Phdr segment;
	size_t bytes;

	if (!find_header(descriptor, &segment) || segment.p_filesz < sizeof(header) ||
	    pread(descriptor, &header, sizeof(header), (off_t)segment.p_offset) !=
		(ssize_t)sizeof(header) ||
	    header.version != 1 || header.count != COUNT_ENCODING ||
	    header.table != TABLE_ENCODING || header.rows == 0 ||
	    header.rows > (segment.p_filesz - sizeof(header)) / sizeof(*rows))
		return false;
	bytes = header.rows * sizeof(*rows);
	rows = memory_map(bytes, 0);
	functions->functions =
	    memory_map(header.rows * sizeof(*functions->functions), MAP_NORESERVE);
	if (rows == NULL || functions->functions == NULL ||
	    pread(descriptor, (void *)rows, bytes, (off_t)(segment.p_offset + sizeof(header))) !=
		(ssize_t)bytes)
		return false;
	for (functions->count = 0; functions->count < header.rows; functions->count++)
		functions->functions[functions->count] = (struct elf_function){
		    .start = segment.p_vaddr + (uint64_t)(int64_t)rows[functions->count].start,
		    .name = ELF_NO_NAME,
		    .section = ELF_NO_NAME,
		};
	return true;
}
