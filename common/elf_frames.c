#include "common/elf_functions.h"

#include "common/elf_sections.h"
#include "common/memory_map.h"

#include <stdlib.h>
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

/* DW_EH_PE_pcrel | DW_EH_PE_sdata4, of addresses in .eh_frame. */
#define ADDRESS_ENCODING 0x1b

static bool read_at(int descriptor, void *to, size_t bytes, uint64_t offset)
{
	return pread(descriptor, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

static bool read_header(int descriptor, Elf64_Ehdr *header)
{
	return read_at(descriptor, header, sizeof(*header), 0) &&
	       memcmp(header->e_ident, ELFMAG, SELFMAG) == 0;
}

/* The program header of .eh_frame_hdr. */
static bool find_table(int descriptor, Elf64_Phdr *found)
{
	Elf64_Ehdr header;

	if (!read_header(descriptor, &header) || header.e_phentsize != sizeof(*found))
		return false;
	for (unsigned i = 0; i < header.e_phnum; i++)
		if (read_at(descriptor, found, sizeof(*found),
			    header.e_phoff + i * sizeof(*found)) &&
		    found->p_type == PT_GNU_EH_FRAME)
			return true;
	return false;
}

static bool read_table(int descriptor, struct elf_functions *functions)
{
	struct frame_header header;
	const struct frame_row *rows;
	Elf64_Phdr segment;
	size_t bytes;

	if (!find_table(descriptor, &segment) || segment.p_filesz < sizeof(header) ||
	    !read_at(descriptor, &header, sizeof(header), segment.p_offset) ||
	    header.version != 1 || header.count != COUNT_ENCODING ||
	    header.table != TABLE_ENCODING || header.rows == 0 ||
	    header.rows > (segment.p_filesz - sizeof(header)) / sizeof(*rows))
		return false;
	bytes = header.rows * sizeof(*rows);
	rows = memory_map(bytes, 0);
	functions->functions =
	    memory_map(header.rows * sizeof(*functions->functions), MAP_NORESERVE);
	if (rows == NULL || functions->functions == NULL ||
	    !read_at(descriptor, (void *)rows, bytes, segment.p_offset + sizeof(header)))
		return false;
	for (functions->count = 0; functions->count < header.rows; functions->count++)
		functions->functions[functions->count] = (struct elf_function){
		    .start = segment.p_vaddr + (uint64_t)(int64_t)rows[functions->count].start,
		    .name = ELF_NO_NAME,
		    .section = ELF_NO_NAME,
		};
	return true;
}

/*
 * The encoding of addresses in the FDEs of a CIE, the letter R of its augmentation; 0 if it is
 * damaged. Behind that string are four numbers whose last byte is below 128, then a value for each
 * letter after z.
 */
static uint8_t encoding_of(const uint8_t *cie, const uint8_t *end)
{
	const uint8_t *letter = cie + 9, *at;

	if (letter >= end || *letter != 'z' ||
	    (at = memchr(letter, 0, (size_t)(end - letter))) == NULL)
		return 0;
	at++;
	for (int numbers = 0; numbers < 4 && at < end; at++)
		numbers += *at < 128;
	while (*++letter != 0 && at < end && *letter != 'R')
		if (*letter == 'L')
			at++;
		else if (*letter == 'P')
			at += (*at & 7) == 3 ? 5 : 9;
	return *letter == 'R' && at < end ? *at : 0;
}

/* Where the FDEs of .eh_frame begin (LSB, "The .eh_frame section"). Returns how many there are. */
static size_t list_frames(const uint8_t *frames, const Elf64_Shdr *section,
			  struct elf_function *functions)
{
	const uint8_t *end = frames + section->sh_size, *cie = NULL;
	uint8_t encoding = 0;
	size_t count = 0;

	for (uint64_t at = 0, length = 4; section->sh_size - at >= 12; at += 4 + length) {
		const uint8_t *here = frames + at;
		uint32_t head[2];
		int32_t distance;

		memcpy(head, here, sizeof(head));
		memcpy(&distance, here + 8, sizeof(distance));
		length = head[0];
		if (length > section->sh_size - at - 4)
			break;
		/* head[1] is the distance to the CIE, or 0 in a CIE. */
		if (length < 12 || head[1] == 0 || head[1] > at + 4)
			continue;
		/* Adjacent FDEs usually have the same CIE. */
		if (cie != here + 4 - head[1]) {
			cie = here + 4 - head[1];
			encoding = encoding_of(cie, end);
		}
		if (encoding != ADDRESS_ENCODING)
			continue;
		functions[count++] = (struct elf_function){
		    .start = section->sh_addr + at + 8 + (uint64_t)(int64_t)distance,
		    .name = ELF_NO_NAME,
		    .section = ELF_NO_NAME,
		};
	}
	return count;
}

static int by_start(const void *left, const void *right)
{
	const struct elf_function *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static bool read_frames(int descriptor, struct elf_functions *functions)
{
	struct elf_sections file;
	const Elf64_Shdr *section;
	const uint8_t *frames = NULL;

	elf_sections_read(descriptor, &file);
	section = elf_section_find(&file, ".eh_frame");
	if (section != NULL)
		frames = (uint8_t *)elf_part_read(&file, section->sh_offset, section->sh_size);
	if (frames == NULL)
		return false;
	functions->functions =
	    memory_map(section->sh_size / 12 * sizeof(struct elf_function), MAP_NORESERVE);
	if (functions->functions == NULL)
		return false;
	functions->count = list_frames(frames, section, functions->functions);
	qsort(functions->functions, functions->count, sizeof(struct elf_function), by_start);
	return functions->count > 0;
}

bool elf_functions_from_frames(int descriptor, struct elf_functions *functions)
{
	return read_table(descriptor, functions) || read_frames(descriptor, functions);
}
