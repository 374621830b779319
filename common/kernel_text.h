/*
 * Reads small files of the kernel, such as those of procfs and sysfs. Inline functions are used on
 * both sides of the jump, the others by host code.
 */
#pragma once

#include "common/arch/syscall.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>

/*
 * open(2) without a mode, by the call that every processor has. Returns the descriptor, or -errno.
 */
static inline long kernel_open(const char *path, int flags)
{
	return raw_syscall3(SYS_openat, (uint64_t)AT_FDCWD, (uint64_t)path, (uint64_t)flags);
}

/* Reads the start of a file, up to `size` bytes. Returns how many, or -errno. */
static inline long kernel_read(const char *path, char *bytes, uint64_t size)
{
	long file = kernel_open(path, O_RDONLY | O_CLOEXEC), length;

	if (file < 0)
		return file;
	length = raw_syscall3(SYS_read, (uint64_t)file, (uint64_t)bytes, size);
	raw_syscall1(SYS_close, (uint64_t)file);
	return length;
}

/*
 * Reads the start of a file into `text`, which has `size` bytes, as a string; "" if the file cannot
 * be read. Returns `text`.
 */
char *kernel_text(const char *path, char *text, size_t size);

/* The number at the start of a file; `otherwise` if there is no file or no number. */
uint64_t kernel_number(const char *path, uint64_t otherwise);

/*
 * The number of bytes that a text like /proc/meminfo has for a name such as "SwapFree:"; 0 if the
 * name is missing.
 */
uint64_t kernel_bytes(const char *text, const char *name);
