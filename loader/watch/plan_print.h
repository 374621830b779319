/* --plan: prints the load plan as a table, and after it the interpreter's. */
#ifndef LOADER_WATCH_PLAN_PRINT_H
#define LOADER_WATCH_PLAN_PRINT_H

#include "loader/guest.h"

#include <stdbool.h>

/* Prints the plan on standard output. False if it cannot be written. */
bool plan_print(const struct guest *guest);

#endif
