/*
 * The properties of a program's text in its PT_GNU_PROPERTY segment. The kernels of some processors
 * read them, refuse wrong ones, and map text that has a certain property with one more bit of
 * protection, for example so that indirect branches reach landing pads only.
 */
#pragma once

#include "common/elf_image.h"
#include "common/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads notes, the contents of PT_GNU_PROPERTY, as parse_elf_properties in fs/binfmt_elf.c does.
 * Sets *value to the data of the property `type`, one word, or to 0 if there is none. False if the
 * kernel refuses a program with these notes. Pure.
 */
bool text_property_read(const void *notes, size_t bytes, uint32_t type, uint32_t *value);

/*
 * Sets *protection to the bit that the kernel adds to executable mappings of a file, or to 0. Fails
 * if the kernel refuses the file for its properties.
 */
bool text_property_protection(int descriptor, const struct elf_image *image, int *protection,
			      struct error *error);
