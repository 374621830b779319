/* The results for people: a row for each way of running each program. */
#pragma once

#include "bench/session/session.h"

#include <stdio.h>

enum table_style { TABLE_TEXT, TABLE_MARKDOWN };

/* A run that ended otherwise than the native one shows how it ended, and no numbers. */
void table_print(FILE *out, const struct session *session, enum table_style style);

/*
 * Prints a line for each program: the native time and peak RSS, and those under the first four
 * loaders. Names are cut after `width` letters.
 */
void matrix_print(FILE *out, const struct session *session, int width);

/*
 * Prints a line for each command that ended differently from its native run. Returns how many there
 * are.
 */
size_t table_print_differences(FILE *out, const struct session *session);

/* A line for each measure that the machine does not have, with the reason. */
void table_print_absent(FILE *out, const struct session *session);
