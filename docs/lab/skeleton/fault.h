/*
 * fault: handles accesses to memory that is not there.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Installs a handler of SIGSEGV, which calls serve() with the address. If serve() returns false,
 * the address is not the pager's, and the program dies of SIGSEGV as it would without a pager.
 */
void serve_faults(bool (*serve)(uintptr_t address));
