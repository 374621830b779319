/*
 * Reads the ELF header and the program headers of a file into a plain struct, and refuses what the
 * kernel refuses. Only elf_image.c and elf_symbols.c use libelf.
 */
#pragma once

#include "common/error.h"
#include "common/file_kind.h"

#include <elf.h>
#include <stdint.h>

/* glibc has it since 2.32. */
#ifndef PT_GNU_PROPERTY
#define PT_GNU_PROPERTY 0x6474e553
#endif

/* The kernel reads no program header table over 64 KiB (fs/binfmt_elf.c: load_elf_phdrs). */
#define ELF_HEADERS_MAX (65536 / 56)

struct elf_image {
	enum file_kind kind;	 /* set even if the file is refused, as long as it could be read */
	uint16_t type;		 /* ET_EXEC or ET_DYN */
	uint64_t entry;		 /* before the load bias is added */
	uint64_t phoff;		 /* offset of the program headers in the file, bytes */
	uint64_t file_size;	 /* bytes, when the file was opened */
	uint16_t phnum;		 /* entries used in segments[] */
	const char *interpreter; /* path in PT_INTERP, once it has been read; NULL if there is
				    none */
	Elf64_Phdr *segments;	 /* every program header, in the file's order */
};

/*
 * Reads the headers of the file. Refuses files for which execve returns ENOEXEC. file_size is the
 * file's length in bytes. Does not move the descriptor's offset. The image's segments and
 * interpreter are allocated with malloc. A loader never frees them, because it is unmapped as a
 * whole.
 */
bool elf_image_read(int descriptor, uint64_t file_size, struct elf_image *image,
		    struct error *error);

/*
 * Reads the path of the interpreter that the program names into image->interpreter; the first
 * PT_INTERP counts. Refuses files for which execve returns ENOEXEC. Must not be called for the
 * interpreter itself: the kernel ignores an interpreter's own PT_INTERP.
 */
bool elf_interpreter_read(int descriptor, struct elf_image *image, struct error *error);

/*
 * elf_check.c: the kernel's checks for a complete image. Pure. Refuses files for which the kernel
 * would kill the process inside execve.
 */
bool elf_check(const struct elf_image *image, struct error *error);
