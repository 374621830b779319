/*
 * Where the functions of an ELF file begin, and their names: .symtab as it is in the file, with
 * what linkers want to know of each name. Host code; without libelf, so that tools need none.
 */
#ifndef COMMON_ELF_FUNCTIONS_H
#define COMMON_ELF_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name of a function. Those of one function (aliases) are neighbors. */
struct elf_function {
	uint64_t start, size; /* bytes; before the load bias is added; size 0: not known */
	const char *name;     /* without control characters */
	const char *section;  /* that it is in */
	const char *file; /* of a local name: the source file that it is from, or ""; else NULL */
};

#define BUILD_ID_BYTES 65

struct elf_functions {
	struct elf_function *functions; /* by their starts, names that are not local first */
	size_t count;
	char build_id[BUILD_ID_BYTES]; /* hexadecimal; "": it has none */
};

/*
 * Reads the functions: symbols of type STT_FUNC and STT_GNU_IFUNC in sections of instructions.
 * False, without any, where there is no .symtab; the build-id is read all the same. Everything is
 * copied into memory that is never given back: the file may change or go.
 */
bool elf_functions_read(int descriptor, struct elf_functions *functions);

/*
 * elf_frames.c: for a file without symbols: where the parts of code begin that .eh_frame describes,
 * by the table of .eh_frame_hdr. Their names are ELF_NO_NAME; sizes and sections are not known, and
 * functions->build_id stays. False where there is no such table.
 */
bool elf_functions_from_frames(int descriptor, struct elf_functions *functions);

#define ELF_NO_NAME "-"

#endif
