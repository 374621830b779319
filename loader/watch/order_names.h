/* Where --order finds the functions of a program. Host code. */
#pragma once

#include "common/elf_functions.h"
#include "loader/guest/guest.h"

/*
 * order_library.c: opens the library that --order-of names, and reads its headers. NULL, with the
 * reason in *error, where there is none. Its descriptor stays open until order_prepare().
 */
const struct object *order_library_open(const struct guest *guest, struct error *error);

/*
 * order_names.c: reads the functions of an object: of its .symtab; or of the file that --debug-file
 * names, or of the one that a folder of build-ids has for it; or those that the Go runtime lists;
 * or addresses without names. Fails where there is none of these, or --debug-file is of another
 * build.
 */
bool order_names_read(const struct guest *guest, const struct object *object,
		      struct elf_functions *functions, struct error *error);
