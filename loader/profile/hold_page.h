/* The code on the page that a holder stays on (hold.h). */
#ifndef LOADER_PROFILE_HOLD_PAGE_H
#define LOADER_PROFILE_HOLD_PAGE_H

#include <stdint.h>

/* Position-independent, and without a stack. */
extern const uint8_t hold_page_code[], hold_page_code_end[];

/*
 * Goes there and stays: says so on descriptor 1, closes it, and waits until nobody can write to the
 * pipe that is descriptor 0 any more. Then this process ends.
 */
_Noreturn void hold_page_enter(const void *page);

#endif
