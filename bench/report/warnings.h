/* Conditions that make results doubtful, each with a remedy. Pure. */
#pragma once

#include "bench/shared/environment.h"
#include "bench/session/session.h"

#define WARNINGS_MAX	10
#define WARNINGS_LENGTH 240

/* The machine before the first run and after the last. Returns how many texts there are. */
size_t warnings_find(const struct session *session, const struct environment *before,
		     const struct environment *after, char texts[WARNINGS_MAX][WARNINGS_LENGTH]);
