/*
 * fault: hears of accesses to memory that is not there.
 */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * From now on a SIGSEGV asks serve() first, with the address. If it says false, because that
 * address is no business of the pager, the program dies of SIGSEGV as it would without a pager.
 */
void serve_faults(bool (*serve)(uintptr_t address));

#endif
