/*
 * The code page of a process that holds a program's memory (loader/hold/hold.h), from hold_page.S.
 */
#pragma once

#include "common/kernel_abi.h"

#include <stdint.h>

/* The code on that page. It is position-independent, and uses no stack once the state is stored. */
extern const uint8_t hold_page_code[], hold_page_code_end[];

/*
 * Enters a page with a copy of the code. The code installs the filter, stores the result (0 or
 * -errno) in *state, and sleeps forever.
 */
_Noreturn void hold_page_enter(const void *page, const struct kernel_filter_program *filter,
			       int *state);
