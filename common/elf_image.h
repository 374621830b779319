/*
 * Reads the ELF header and the program headers of a file into a plain struct, and refuses what the
 * kernel refuses. Only elf_image.c and elf_symbols.c use libelf.
 */
#ifndef COMMON_ELF_IMAGE_H
#define COMMON_ELF_IMAGE_H

#include "common/error.h"
#include "common/file_kind.h"

#include <elf.h>
#include <stdint.h>

/* The kernel reads no program header table over 64 KiB (fs/binfmt_elf.c: load_elf_phdrs). */
#define ELF_HEADERS_MAX (65536 / 56)

struct elf_image {
	enum file_kind kind;	 /* also of a file that is refused, if it could be read */
	uint16_t type;		 /* ET_EXEC or ET_DYN */
	uint64_t entry;		 /* before the load bias is added */
	uint64_t phoff;		 /* where the program headers are in the file, bytes */
	uint64_t file_size;	 /* bytes, when it was opened */
	uint16_t phnum;		 /* entries used in segments[] */
	const char *interpreter; /* of PT_INTERP, once it has been read; NULL if there is none */
	Elf64_Phdr *segments;	 /* every program header, in the file's order */
};

/*
 * Reads the headers of the file. Refuses what execve answers with ENOEXEC.
 * file_size is the file's length in bytes. Does not move the descriptor's offset. The image's
 * segments and interpreter are allocated with malloc; a loader, which leaves, never frees them.
 */
bool elf_image_read(int descriptor, uint64_t file_size, struct elf_image *image,
		    struct error *error);

/*
 * Reads the path of the interpreter that the program wants into image->interpreter: the first
 * PT_INTERP counts. Refuses what execve answers with ENOEXEC. Not to be called for the interpreter
 * itself: the kernel passes over a PT_INTERP of the interpreter's own.
 */
bool elf_interpreter_read(int descriptor, struct elf_image *image, struct error *error);

/*
 * elf_check.c: the kernel's rules for a complete image. Pure. Refuses files that make the kernel
 * kill the process inside execve.
 */
bool elf_check(const struct elf_image *image, struct error *error);

#endif
