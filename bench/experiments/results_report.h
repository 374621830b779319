/* Results for people and for programs. */
#pragma once

#include "bench/experiments/results.h"

/* Prints the tables, what the source found, and what was found here. */
void results_print(const struct results *results, FILE *out);

/* False, with errno set, when the file cannot be written. */
bool results_write_json(const struct results *results, const char *path);
