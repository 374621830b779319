/* Shared by all JSON files of the bench. */
#pragma once

#include "bench/shared/environment.h"

#include <jansson.h>
#include <stdbool.h>

/* A new object; null for what the machine does not say. */
json_t *environment_json(const struct environment *environment);

/*
 * Whether results can be written there; false with errno set. This is checked before anything is
 * measured. A device or a pipe is not tried.
 */
bool results_may_be_written(const char *path);

/*
 * Writes the value, for people to read too. False, with errno set, when it cannot; the file then
 * is as it was before.
 */
bool json_file_write(const json_t *value, const char *path);
