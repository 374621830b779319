/* The files that the loader writes: --stats, --trace, --record, --layout. */
#ifndef LOADER_OUTPUTS_H
#define LOADER_OUTPUTS_H

#include "common/error.h"

struct guest;

/*
 * Opens all outputs, which changes no file (common/output_file.h). Before that it refuses to write
 * over a program: a name that was meant to be run is easily taken for an option's file, as in
 * `--trace ./prog1 ./prog2`.
 */
bool outputs_open(struct guest *guest, struct error *error);

#endif
