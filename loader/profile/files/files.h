/*
 * The part of a profile that knows files: which bytes of which files a program used, in the order
 * in which they are read ahead. Plain data; docs/profiles.md has the text that stands for it.
 */
#ifndef LOADER_PROFILE_FILES_FILES_H
#define LOADER_PROFILE_FILES_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a file, and the number of the learned run that used them last. */
struct file_range {
	uint64_t start, end;
	uint64_t last;
};

/* How the program came by a file. */
enum file_role {
	FILE_PROGRAM = 'p',	/* it is the program, */
	FILE_INTERPRETER = 'i', /* or what the program names as its interpreter; */
	FILE_MAPPED = 'm',	/* it was mapped: a library, an archive of locales; */
	FILE_READ = 'r',	/* it was read, and no more is known than its name */
};

struct known_file {
	enum file_role role;
	uint64_t size;		       /* with the path: which version of the file this is */
	uint64_t seconds, nanoseconds; /* of the last change where it was learned, for people */
	const char *build_id;	       /* hexadecimal digits; "-": it has none */
	const char *path;	       /* absolute */
	uint64_t device,
	    inode; /* only while a run is learned from: a file may have several names */
	struct file_range *ranges; /* sorted, apart, and none empty; among those of all files */
	size_t count;
};

struct known_files {
	uint64_t learned; /* so many runs were learned from; 0: none, and there are no files */
	struct known_file *files;
	size_t count;
	struct file_range *ranges; /* of all files, in their order */
	size_t range_count;
};

/* How many bytes a file's ranges have. */
static inline uint64_t file_range_bytes(const struct known_file *file)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < file->count; i++)
		bytes += file->ranges[i].end - file->ranges[i].start;
	return bytes;
}

/* More than programs have; what is more is not kept. */
#define KNOWN_FILES_MAX	 2048
#define KNOWN_RANGES_MAX 12288

/* No file is larger (MAX_LFS_FILESIZE), and all ranges of a profile together have no more bytes. */
#define FILE_BYTES_MAX (uint64_t) INT64_MAX

/* A profile that says that it was learned from more runs is damaged: their number is counted on. */
#define LEARNED_MAX (UINT64_C(1) << 32)

#endif
