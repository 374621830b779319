/* A system call with its arguments, as strace writes it: `openat(AT_FDCWD, "/etc/passwd",
 * O_RDONLY)`. */
#ifndef LOADER_WATCH_CALL_WORDS_H
#define LOADER_WATCH_CALL_WORDS_H

#include "loader/resident/trace.h"

#include <stdio.h>

/* Fills in which arguments of each call are text, for those who write the ring. */
void call_choose_texts(uint8_t texts[TRACE_CALLS][TRACE_TEXTS]);

/* Writes a TRACE_CALL: with arguments as they are known, or all six as numbers. No tab, no newline.
 */
void call_print(FILE *file, const struct trace_event *event);

/* Writes a TRACE_RESULT: `3`, `-1 ENOENT`, `0x7f1234560000` where an address is returned. */
void call_print_result(FILE *file, const struct trace_event *event);

#endif
