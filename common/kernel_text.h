/* Small files in which the kernel tells something, as those of procfs and sysfs. Host code. */
#ifndef COMMON_KERNEL_TEXT_H
#define COMMON_KERNEL_TEXT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads the beginning of a file into `text`, of `size` bytes, as a string: "" where the file cannot
 * be read. Returns `text`.
 */
char *kernel_text(const char *path, char *text, size_t size);

/* The number that a file begins with; `otherwise` where there is no file or no number. */
uint64_t kernel_number(const char *path, uint64_t otherwise);

/* The bytes that /proc/meminfo's text has for a name, as "SwapFree:"; 0: the name is not there. */
uint64_t kernel_meminfo(const char *text, const char *name);

#endif
