/*
 * Raw system calls. The result is -errno on failure. There is no errno here, because resident code
 * has no thread-local storage of its own. Async-signal-safe.
 */
/* A named guard: tests/unit/leaving/kernel.h defines it, to take the place of this header. */
#ifndef COMMON_ARCH_SYSCALL_H
#define COMMON_ARCH_SYSCALL_H

#include "common/arch/arch.h"

#include <stdint.h>
#include <sys/syscall.h>

static inline long raw_syscall6(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
				uint64_t e, uint64_t f);
static inline long raw_syscall3(long number, uint64_t a, uint64_t b, uint64_t c);

#include ARCH_HEADER(syscall.h)

static inline long raw_syscall2(long number, uint64_t a, uint64_t b)
{
	return raw_syscall3(number, a, b, 0);
}

static inline long raw_syscall1(long number, uint64_t a)
{
	return raw_syscall3(number, a, 0, 0);
}

static inline long raw_syscall0(long number)
{
	return raw_syscall3(number, 0, 0, 0);
}

#endif
