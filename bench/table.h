/* The table for people: a block of lines for each program, a column for each way of running it. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "bench/session.h"

#include <stdio.h>

/*
 * A column for the native run and one for each of the loaders, which session_add got together with
 * each of the programs. A run that ended otherwise than the native one shows how, and no numbers.
 */
void table_print(FILE *out, const struct session *session, char *const *loaders, size_t count);

/* One line for each command that ended otherwise than the native run; returns how many there are.
 */
size_t table_print_differences(FILE *out, const struct session *session);

#endif
