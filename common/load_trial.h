/* What the kernel maps only for a moment while it loads a program, and kills it if it cannot. */
#ifndef COMMON_LOAD_TRIAL_H
#define COMMON_LOAD_TRIAL_H

#include "common/elf_image.h"

/*
 * Refuses a checked image that the kernel would kill inside execve for its sizes: a
 * position-independent program that cannot be mapped in one piece from its first PT_LOAD on, and
 * zero-filled memory that nobody has so much of, even if later segments hide most of it. `file` is
 * the descriptor. Nothing stays mapped; a program below a gigabyte costs no system call.
 */
bool load_trial(const struct elf_image *image, int file, struct error *error);

#endif
