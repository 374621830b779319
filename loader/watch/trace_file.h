/* --trace: writes the file, line by line as events come. docs/trace.md describes the format. */
#pragma once

#include "loader/guest/guest.h"
#include "loader/resident/base/trace.h"

/*
 * trace_file_begin() starts guest->trace. trace_file_end() commits the file, and reports a failure
 * to write it.
 */
void trace_file_begin(const struct guest *guest, int process, uint64_t start);
void trace_file_event(const struct guest *guest, const struct trace_event *event);

/* Flushes the file, so that no written line is lost if the loader is killed now. */
void trace_file_flush(void);

void trace_file_end(uint64_t lost, int status);
