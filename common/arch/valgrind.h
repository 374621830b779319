/* Whether Valgrind runs this process, by what its manual calls a client request. */
#pragma once

#include "common/arch/arch.h"

#include <stdbool.h>
#include <stdint.h>

static inline bool runs_under_valgrind(void);

#include ARCH_HEADER(valgrind.h)
