/* Shared by all JSON files of the bench. */
#pragma once

#include "bench/shared/environment.h"

#include <jansson.h>
#include <stdbool.h>

/* A string; null for NULL and for an empty text. */
json_t *json_text(const char *text);

/* A new object; null for what the machine does not say. */
json_t *environment_json(const struct environment *environment);

/*
 * Writes the value, for people to read too. False, with errno set, when it cannot; the file then
 * is as it was before.
 */
bool json_file_write(const json_t *value, const char *path);
