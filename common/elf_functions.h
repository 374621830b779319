/*
 * Where the functions of an ELF file start, and their names: .symtab as in the file, with the data
 * that linkers need for each name. Host code; does not use libelf, so that tools do not need it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name of a function. The names of one function (aliases) are adjacent. */
struct elf_function {
	uint64_t start, size; /* bytes; before the load bias is added; size 0: not known */
	const char *name;     /* without control characters */
	const char *section;  /* the section that contains it */
	const char *file;     /* for a local name: its source file, or ""; for others NULL */
};

#define BUILD_ID_BYTES 65

struct elf_functions {
	struct elf_function *functions; /* sorted by start; names that are not local come first */
	size_t count;
	char build_id[BUILD_ID_BYTES]; /* hexadecimal; "": there is none */
};

/*
 * Reads the functions: symbols of type STT_FUNC and STT_GNU_IFUNC in sections of instructions.
 * Returns false, without functions, if there is no .symtab; the build-id is read anyway. Everything
 * is copied into memory that is never freed, because the file may change or disappear.
 */
bool elf_functions_read(int descriptor, struct elf_functions *functions);

/*
 * elf_frames.c: for a file without symbols: where the parts of code begin that .eh_frame describes,
 * by the table of .eh_frame_hdr if there is one. Their names are ELF_NO_NAME; sizes and sections
 * are not known, and functions->build_id stays. False where there is no .eh_frame.
 */
bool elf_functions_from_frames(int descriptor, struct elf_functions *functions);

/*
 * For a file without .symtab: adds the functions that it exports, those of .dynsym, to the list. A
 * function without a name gets the name that .dynsym has for its address. False if there are none.
 */
bool elf_functions_add_exported(int descriptor, struct elf_functions *functions);

/*
 * elf_go.c: for a Go program without symbols: its functions as the Go runtime lists them, with the
 * padding behind each in its size. functions->build_id stays. False where there is no such list.
 */
bool elf_functions_from_go(int descriptor, struct elf_functions *functions);

#define ELF_NO_NAME "-"
