/* Adds to the error about a program that cannot be loaded which command line would work. */
#ifndef LOADER_ADVICE_H
#define LOADER_ADVICE_H

#include "common/error.h"

struct guest;

/*
 * Makes the sentence say what to write instead: `--stats=FILE` where FILE was taken for the
 * program, and the interpreter before a dynamically linked one. False, for `return`.
 */
bool advise(const struct guest *guest, struct error *error);

#endif
