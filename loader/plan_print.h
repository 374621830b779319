/* --plan: prints the load plan as a table. */
#ifndef LOADER_PLAN_PRINT_H
#define LOADER_PLAN_PRINT_H

#include "common/load_plan.h"

#include <stdbool.h>

/* Prints the plan on standard output. False if it cannot be written. */
bool plan_print(const struct load_plan *plan, const struct load_span *span);

#endif
