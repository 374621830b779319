/*
 * The part of a profile that lists files: which bytes of which files a program used, in the order
 * in which they are read ahead. Plain data; docs/profiles.md describes its text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a file, and the number of the last learned run that used them. */
struct file_range {
	uint64_t start, end;
	uint64_t last;
};

/* How the program used a file. */
enum file_role {
	FILE_PROGRAM = 'p',	/* it is the program */
	FILE_INTERPRETER = 'i', /* it is the program's interpreter */
	FILE_MAPPED = 'm',	/* it was mapped: a library, an archive of locales */
	FILE_READ = 'r',	/* it was read; only its name is known */
};

struct known_file {
	enum file_role role;
	uint64_t size;		       /* size in bytes; with the path it identifies the version
					  of the file */
	uint64_t seconds, nanoseconds; /* time of the last change when it was learned, for people */
	const char *build_id;	       /* hexadecimal digits; "-": there is none */
	const char *path;	       /* an absolute path */
	uint64_t device,
	    inode; /* only while a run is learned from, because a file may have several names */
	struct file_range *ranges; /* part of the array of all files' ranges; sorted, without
				      overlap, none empty */
	size_t count;
};

struct known_files {
	uint64_t learned; /* number of runs that were learned from; 0: none, and there are no
			     files */
	struct known_file *files;
	size_t count;
	struct file_range *ranges; /* ranges of all files, in their order */
	size_t range_count;
};

/* The number of bytes in a file's ranges. */
static inline uint64_t file_range_bytes(const struct known_file *file)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < file->count; i++)
		bytes += file->ranges[i].end - file->ranges[i].start;
	return bytes;
}

/* More than programs use; what exceeds it is not kept. */
#define KNOWN_FILES_MAX	 2048
#define KNOWN_RANGES_MAX 12288

/* The largest file (MAX_LFS_FILESIZE). All ranges of a profile together have no more bytes. */
#define FILE_BYTES_MAX (uint64_t) INT64_MAX

/* A profile with a larger number of learned runs is damaged: the number is incremented. */
#define LEARNED_MAX (UINT64_C(1) << 32)
