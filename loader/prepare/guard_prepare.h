/* The check ahead of the guard. Host code. */
#pragma once

#include "loader/guest/guest.h"

/* Whether the kernel has no dispatch, and calls of this processor can be rewritten instead. */
bool guard_has_to_rewrite(void);

/* Whether system calls can be intercepted. If not, *error has the reason and the remedy. */
bool guard_can_intercept(const struct guest *guest, struct error *error);
