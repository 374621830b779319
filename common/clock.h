/*
 * The time, for both sides of the jump. Async-signal-safe. These functions make system calls
 * instead of using the vDSO: a parent may have forbidden to read the processor's clock
 * (PR_SET_TSC).
 */
#pragma once

#include "common/arch/syscall.h"

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC in nanoseconds; 0 if a filter of system calls denies it. */
static inline uint64_t clock_now_ns(void)
{
	struct timespec now = {0, 0};

	raw_syscall2(SYS_clock_gettime, CLOCK_MONOTONIC, (uint64_t)&now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* CLOCK_REALTIME. */
static inline struct timespec clock_real(void)
{
	struct timespec now = {0, 0};

	raw_syscall2(SYS_clock_gettime, CLOCK_REALTIME, (uint64_t)&now);
	return now;
}

/* Processor time that this process has used, in nanoseconds. */
static inline uint64_t clock_used_ns(void)
{
	struct timespec used = {0, 0};

	raw_syscall2(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (uint64_t)&used);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}
