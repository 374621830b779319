/* The kind of a file, by its first bytes. */
#pragma once

#include "common/error.h"

#include <stddef.h>

enum file_kind {
	FILE_KIND_NONE,	      /* there is no regular file */
	FILE_KIND_UNREADABLE, /* there is one, but this process may not read it */
	FILE_KIND_ELF,
	FILE_KIND_SCRIPT, /* #! */
	FILE_KIND_TEXT,	  /* text without #!: execve returns ENOEXEC */
	FILE_KIND_OTHER,
};

/*
 * The kind of a file by its first bytes: ELF's four, or all that exist. With more bytes, text is
 * recognized more reliably. Pure.
 */
enum file_kind file_kind_of(const char *bytes, size_t length);

/*
 * The kind of the file with this name. Symbolic links are followed, including those in
 * /proc/self/fd.
 */
enum file_kind file_kind_at(const char *path);

/*
 * Whether an output may replace the file with this name: not if it is an ELF file, a script, or a
 * file that cannot be read and may be one of them. `what` begins the sentence: "--trace".
 */
bool file_kind_may_replace(const char *what, const char *path, struct error *error);

/* Sets the sentence, with EXIT_NOT_LOADABLE, for a script or another file that is not a program. */
bool file_kind_refuse(enum file_kind kind, struct error *error);
