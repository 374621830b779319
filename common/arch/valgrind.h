/* Whether Valgrind runs this process, by what its manual calls a client request. */
#ifndef COMMON_ARCH_VALGRIND_H
#define COMMON_ARCH_VALGRIND_H

#include "common/arch/arch.h"

#include <stdbool.h>
#include <stdint.h>

static inline bool runs_under_valgrind(void);

#include ARCH_HEADER(valgrind.h)

#endif
