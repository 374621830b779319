/* The page of a process that holds a program's memory (loader/hold/hold.h), from hold_page.S. */
#ifndef COMMON_ARCH_HOLD_PAGE_H
#define COMMON_ARCH_HOLD_PAGE_H

#include "common/kernel_abi.h"

#include <stdint.h>

/* The code on that page. Position-independent; it uses no stack once the state is stored. */
extern const uint8_t hold_page_code[], hold_page_code_end[];

/*
 * Goes to a page with a copy of the code, sets the filter, stores the result of that (0 or -errno)
 * in *state, and sleeps for good.
 */
_Noreturn void hold_page_enter(const void *page, const struct kernel_filter_program *filter,
			       int *state);

#endif
