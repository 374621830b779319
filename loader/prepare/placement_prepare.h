/* Placement while the program runs. Host code. */
#pragma once

#include <stdbool.h>

/*
 * Whether this kernel can place a page when it is touched. If not, all pages are placed before
 * entry.
 */
bool placement_can_wait(void);
