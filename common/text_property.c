#include "common/text_property.h"

#include "common/arch/machine.h"

#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The kernel reads no longer segment (NOTE_DATA_SZ in fs/binfmt_elf.c). */
#define NOTES_MAX 1024

/* A note with the name "GNU". */
struct note {
	Elf64_Nhdr header;
	char name[4];
};

/* The head of a property. Its data follow, filled up to a multiple of eight bytes. */
struct property {
	uint32_t type;
	uint32_t bytes;
};

/* What follows the note is its properties, in ascending order of their types. */
static bool read_properties(const uint8_t *next, size_t left, uint32_t type, uint32_t *value)
{
	int64_t previous = -1;

	while (left > 0) {
		struct property property;
		size_t length;

		if (left < sizeof(property))
			return false;
		memcpy(&property, next, sizeof(property));
		length = sizeof(property) + (((size_t)property.bytes + 7) & ~(size_t)7);
		if (length > left || property.type <= previous ||
		    (property.type == type && property.bytes != sizeof(*value)))
			return false;
		if (property.type == type)
			memcpy(value, next + sizeof(property), sizeof(*value));
		previous = property.type;
		next += length;
		left -= length;
	}
	return true;
}

bool text_property_read(const void *notes, size_t bytes, uint32_t type, uint32_t *value)
{
	struct note note;

	*value = 0;
	if (bytes < sizeof(note))
		return false;
	memcpy(&note, notes, sizeof(note));
	return note.header.n_type == NT_GNU_PROPERTY_TYPE_0 &&
	       note.header.n_namesz == sizeof(note.name) && memcmp(note.name, "GNU", 4) == 0 &&
	       note.header.n_descsz <= bytes - sizeof(note) &&
	       read_properties((const uint8_t *)notes + sizeof(note), note.header.n_descsz, type,
			       value);
}

/* The last of these segments: the kernel looks at no other. NULL if there is none. */
static const Elf64_Phdr *find_segment(const struct elf_image *image)
{
	for (unsigned i = image->phnum; i-- > 0;)
		if (image->segments[i].p_type == PT_GNU_PROPERTY)
			return &image->segments[i];
	return NULL;
}

/* The kernel reads what the file has of the segment. */
static bool read_segment(int descriptor, const Elf64_Phdr *segment, uint32_t *value)
{
	uint8_t notes[NOTES_MAX];
	ssize_t bytes;

	if (segment->p_filesz > sizeof(notes))
		return false;
	bytes = pread(descriptor, notes, segment->p_filesz, (off_t)segment->p_offset);
	return bytes >= 0 && text_property_read(notes, (size_t)bytes, MACHINE_TEXT_PROPERTY, value);
}

bool text_property_protection(int descriptor, const struct elf_image *image, int *protection,
			      struct error *error)
{
	const Elf64_Phdr *segment = MACHINE_TEXT_PROPERTY != 0 ? find_segment(image) : NULL;
	uint32_t value = 0;

	if (segment != NULL && !read_segment(descriptor, segment, &value))
		return error_set(
		    error, EXIT_NOT_LOADABLE,
		    "has wrong properties in program header %u, PT_GNU_PROPERTY, which "
		    "the kernel refuses: " ERROR_DAMAGED,
		    (unsigned)(segment - image->segments));
	*protection =
	    (value & MACHINE_TEXT_BIT) != 0 && (getauxval(AT_HWCAP2) & MACHINE_TEXT_HWCAP2) != 0
		? MACHINE_TEXT_PROTECTION
		: 0;
	return true;
}
