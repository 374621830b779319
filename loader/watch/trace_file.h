/* --trace: the file, line by line as events come. docs/trace.md has its format. */
#ifndef LOADER_WATCH_TRACE_FILE_H
#define LOADER_WATCH_TRACE_FILE_H

#include "loader/guest.h"
#include "loader/resident/trace.h"

/* Opened before the commit point. trace_file_end() reports what could not be
 * written. */
bool trace_file_open(struct guest *guest, struct error *error);
void trace_file_begin(const struct guest *guest, int process);
void trace_file_event(const struct guest *guest, const struct trace_event *event);
void trace_file_end(const struct guest *guest, uint64_t lost, int status);

#endif
