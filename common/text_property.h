/*
 * The property of a program's text that makes the kernel map it with one more bit of protection,
 * for example so that indirect branches reach landing pads only.
 */
#pragma once

#include "common/elf_image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Whether notes, the contents of PT_GNU_PROPERTY, have a property of this type with this bit
 * (fs/binfmt_elf.c: parse_elf_properties). Pure.
 */
bool text_property_is_set(const void *notes, size_t bytes, uint32_t type, uint32_t bit);

/* The bit of protection that the kernel adds to executable mappings of a file, or 0. */
int text_property_protection(int descriptor, const struct elf_image *image);
