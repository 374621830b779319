/* The kernel's rules for a complete image, without a system call. */
#include "common/elf_image.h"

#include "common/page.h"

#include <elf.h>

/*
 * Refuses a PT_LOAD that load_elf_binary refuses after the point of no return. There the kernel
 * kills the process by SIGSEGV; here the user still gets a sentence.
 */
static bool check_load(const Elf64_Phdr *segment, unsigned index, struct error *error)
{
	uint64_t end;

	if (segment->p_filesz > segment->p_memsz)
		return error_set(
		    error, EXIT_NOT_LOADABLE,
		    "has p_filesz 0x%lx above p_memsz 0x%lx in program header %u: " ERROR_DAMAGED,
		    segment->p_filesz, segment->p_memsz, index);
	if (!checked_add(segment->p_vaddr, segment->p_memsz, &end) || end > USER_ADDRESS_END)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "has p_vaddr 0x%lx and p_memsz 0x%lx in program header %u, beyond "
				 "0x%lx, the end of user addresses: link it lower "
				 "(-Wl,-Ttext-segment=0x400000)",
				 segment->p_vaddr, segment->p_memsz, index, USER_ADDRESS_END);
	if (segment->p_filesz > 0 &&
	    page_offset(segment->p_offset) != page_offset(segment->p_vaddr))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "has p_offset 0x%lx and p_vaddr 0x%lx in program header %u at "
				 "different places in their pages: " ERROR_DAMAGED,
				 segment->p_offset, segment->p_vaddr, index);
	if (segment->p_filesz > 0 &&
	    (!checked_add(segment->p_offset, segment->p_filesz, &end) || end > INT64_MAX))
		return error_set(error, EXIT_NOT_LOADABLE,
				 "has p_offset 0x%lx and p_filesz 0x%lx in program header %u, "
				 "beyond the end of any file: " ERROR_DAMAGED,
				 segment->p_offset, segment->p_filesz, index);
	return true;
}

/*
 * If a writable segment's file data ends inside a page, the rest of that page is cleared before
 * entry. That page must be in the file: otherwise the kernel's padzero() fails.
 */
static bool check_tail(const struct elf_image *image, unsigned index, struct error *error)
{
	const Elf64_Phdr *segment = &image->segments[index];
	uint64_t file_end = segment->p_offset + segment->p_filesz;

	if (segment->p_filesz == 0 || segment->p_filesz == segment->p_memsz ||
	    (segment->p_flags & PF_W) == 0 || page_offset(file_end) == 0 ||
	    page_floor(file_end) < image->file_size)
		return true;
	return error_set(
	    error, EXIT_NOT_LOADABLE,
	    "ends at 0x%lx, but program header %u has data up to 0x%lx: " ERROR_CUT_OFF,
	    image->file_size, index, file_end);
}

/*
 * elf_load() in fs/binfmt_elf.c maps nothing for a segment without file data. For a
 * position-independent program without an interpreter it then takes the requested address, 0, for
 * the chosen one. Only root may map memory there, and an empty segment needs none.
 */
static bool check_first(const struct elf_image *image, unsigned index, struct error *error)
{
	const Elf64_Phdr *segment = &image->segments[index];

	if (image->type != ET_DYN || image->interpreter != NULL || segment->p_filesz > 0 ||
	    segment->p_memsz == 0)
		return true;
	return error_set(error, EXIT_NOT_LOADABLE,
			 "has no file data in its first PT_LOAD, program header %u: exec would put "
			 "it at address 0, and kill it there; " ERROR_DAMAGED,
			 index);
}

bool elf_check(const struct elf_image *image, struct error *error)
{
	unsigned loads = 0;

	for (unsigned i = 0; i < image->phnum; i++) {
		if (image->segments[i].p_type != PT_LOAD)
			continue;
		if (!check_load(&image->segments[i], i, error) || !check_tail(image, i, error) ||
		    (loads++ == 0 && !check_first(image, i, error)))
			return false;
	}
	if (loads == 0)
		return error_set(error, EXIT_NOT_LOADABLE,
				 "has no PT_LOAD among its %u program headers: exec starts it, and "
				 "it dies of SIGSEGV at once; build it or copy it again",
				 image->phnum);
	return true;
}
