/*
 * Shared by the fuzzers: an input that breaks a promise ends the fuzzer, and libFuzzer keeps that
 * input.
 */
#pragma once

#include "common/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define check(condition) check_that(condition, #condition, __FILE__, __LINE__)

static inline void check_that(bool holds, const char *condition, const char *file, int line)
{
	if (holds)
		return;
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
	abort();
}

/* One sentence, which ends inside its buffer. */
static inline void check_sentence(const struct error *error, enum exit_status status)
{
	size_t length = strnlen(error->text, sizeof(error->text));

	check(error->status == status);
	check(length > 0 && length < sizeof(error->text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
