/* Writes a session with its raw samples and its environment as JSON, and its summary as CSV. */
#pragma once

#include "bench/shared/environment.h"
#include "bench/session/session.h"

#include <jansson.h>
#include <stdio.h>

/*
 * A new object: times in the unit that ends a name; null for what is not known. A command whose
 * program is null is the launcher alone. A sample has what its round was made to measure. The
 * summary of a command is each measure's median and 95 % interval in the samples' units, and the
 * wall time's ratio to native, pair by pair. NULL without memory.
 */
json_t *export_json(const struct session *session, const struct environment *environment);

/* One line for each command and measure: "program,run by,measure,median,low,high,absent because".
 */
void export_csv(FILE *out, const struct session *session);
