/* How far a session or an experiment is, for a terminal. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PROGRESS_LENGTH 96

/*
 * "[#####.....] 12 of 60 runs, 1:05 left". The time left supposes that the runs to come take as
 * long as those that are done. Pure.
 */
void progress_text(size_t done, size_t all, uint64_t gone_ns, char text[PROGRESS_LENGTH]);

/* Shows that on standard error when it is a terminal, and nothing at the end. */
void progress_show(size_t done, size_t all, uint64_t gone_ns);
