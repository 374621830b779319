/*
 * The pager serves the SIGSEGV or SIGBUS that a touch of a hidden page raises. It brings in that
 * page and the pages that the policy predicts. The handler in signal_managed.c calls it.
 */
#pragma once

#include "loader/resident/arch/fault.h"
#include "loader/resident/pager/pages.h"

/*
 * Serves one fault. Returns true if the access should be repeated, because it touched a hidden page
 * that is now revealed. Returns false if the fault belongs to the program.
 */
bool pager_serve(struct pager *pager, const struct fault *fault);
