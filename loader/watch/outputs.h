/* The files that the loader writes: --stats, --trace, --record. */
#ifndef LOADER_OUTPUTS_H
#define LOADER_OUTPUTS_H

#include "common/error.h"

struct guest;

/*
 * Refuses to write over a program, before any output is opened: a name that was meant to be run is
 * easily taken for an option's file, as in `--trace ./prog1 ./prog2`. Nor is a device or a FIFO
 * replaced by a profile.
 */
bool outputs_check(const struct guest *guest, struct error *error);

#endif
