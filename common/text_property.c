#include "common/text_property.h"

#include "common/arch/machine.h"

#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The kernel reads no longer segment (MAX_PROPERTY in fs/binfmt_elf.c: SZ_1K). */
#define NOTES_MAX 1024

/* A note with the name "GNU". */
struct note {
	Elf64_Nhdr header;
	char name[4];
};

bool text_property_is_set(const void *notes, size_t bytes, uint32_t type, uint32_t bit)
{
	const uint8_t *next = notes;
	struct note note;
	uint32_t property[3]; /* type, bytes of data, the first word of data */

	if (bytes < sizeof(note))
		return false;
	memcpy(&note, next, sizeof(note));
	if (note.header.n_type != NT_GNU_PROPERTY_TYPE_0 ||
	    note.header.n_namesz != sizeof(note.name) || memcmp(note.name, "GNU", 4) != 0 ||
	    note.header.n_descsz > bytes - sizeof(note))
		return false;
	next += sizeof(note);
	for (size_t left = note.header.n_descsz; left >= sizeof(property);) {
		size_t length;

		memcpy(property, next, sizeof(property));
		if (property[0] == type && property[1] == sizeof(property[2]))
			return (property[2] & bit) != 0;
		length = 2 * sizeof(*property) + (((size_t)property[1] + 7) & ~(size_t)7);
		if (length > left)
			return false;
		next += length;
		left -= length;
	}
	return false;
}

int text_property_protection(int descriptor, const struct elf_image *image)
{
	uint8_t notes[NOTES_MAX];

	if (MACHINE_TEXT_HWCAP2 == 0 || (getauxval(AT_HWCAP2) & MACHINE_TEXT_HWCAP2) == 0)
		return 0;
	for (unsigned i = 0; i < image->phnum; i++) {
		const Elf64_Phdr *segment = &image->segments[i];

		if (segment->p_type != PT_GNU_PROPERTY)
			continue;
		return segment->p_filesz <= sizeof(notes) &&
			       pread(descriptor, notes, segment->p_filesz,
				     (off_t)segment->p_offset) == (ssize_t)segment->p_filesz &&
			       text_property_is_set(notes, segment->p_filesz, MACHINE_TEXT_PROPERTY,
						    MACHINE_TEXT_BIT)
			   ? MACHINE_TEXT_PROTECTION
			   : 0;
	}
	return 0;
}
