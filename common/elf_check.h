/* The kernel's rules for a complete image. */
#ifndef COMMON_ELF_CHECK_H
#define COMMON_ELF_CHECK_H

#include "common/elf_image.h"

/* Pure. Refuses files that make the kernel kill the process inside execve. */
bool elf_check(const struct elf_image *image, struct error *error);

#endif
