/*
 * Tries mappings that the kernel makes only for a moment while it loads a program; if one fails,
 * the kernel kills the process.
 */
#pragma once

#include "common/elf_image.h"

/*
 * Refuses a checked image that the kernel would kill inside execve because of its size. That is a
 * position-independent program that cannot be mapped in one piece from its first PT_LOAD on. It is
 * also more zero-filled memory than any machine has, even if later segments hide most of it. `file`
 * is the descriptor. No mapping stays; a program smaller than a gigabyte costs no system call.
 */
bool load_trial(const struct elf_image *image, int file, struct error *error);
