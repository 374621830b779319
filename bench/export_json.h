/* Writes a session with its raw samples and its environment as JSON. */
#ifndef BENCH_EXPORT_JSON_H
#define BENCH_EXPORT_JSON_H

#include "bench/environment.h"
#include "bench/session.h"

#include <stdio.h>

/*
 * Times in the unit that ends a name; null for what is not known. A command whose program is null
 * is the launcher alone. A sample has what its run was made to measure.
 */
void export_json(FILE *out, const struct session *session, const struct environment *environment);

#endif
