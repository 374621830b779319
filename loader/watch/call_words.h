/*
 * A system call with its arguments, as strace prints it: `openat(AT_FDCWD, "/etc/passwd",
 * O_RDONLY)`.
 */
#pragma once

#include "loader/resident/base/trace.h"

#include <stdio.h>

/* Sets which arguments of each call are text, for the writers of the ring. */
void call_choose_texts(uint8_t texts[TRACE_CALLS][TRACE_TEXTS]);

/*
 * Prints a TRACE_CALL: with the arguments that are known, or all six as numbers. Prints no tab or
 * newline.
 */
void call_print(FILE *file, const struct trace_event *event);

/* Prints a TRACE_RESULT: `3`, `-1 ENOENT`, or `0x7f1234560000` if the result is an address. */
void call_print_result(FILE *file, const struct trace_event *event);
