/*
 * Pages, and arithmetic on numbers from a file. Addresses and lengths are uint64_t in bytes; a
 * range is [start, end), its end exclusive. Everything here is pure and async-signal-safe, and may
 * be used on both sides of the jump.
 */
#pragma once

#include "common/arch/machine.h"

#include <stdbool.h>
#include <stdint.h>

/* The memory that one page table covers, whose entries have 8 bytes: a huge page. */
#define HUGE_BYTES (PAGE_BYTES / 8 * PAGE_BYTES)
#define HUGE_PAGES (HUGE_BYTES / PAGE_BYTES)

static inline uint64_t page_floor(uint64_t address)
{
	return address & ~(PAGE_BYTES - 1);
}

/* Wraps to 0 in the last page of the address space: check the operand first. */
static inline uint64_t page_ceil(uint64_t address)
{
	return page_floor(address + PAGE_BYTES - 1);
}

static inline uint64_t page_offset(uint64_t address)
{
	return address & (PAGE_BYTES - 1);
}

static inline uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t higher(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* *sum = a + b; false if that does not fit in 64 bits. */
static inline bool checked_add(uint64_t a, uint64_t b, uint64_t *sum)
{
	return !__builtin_add_overflow(a, b, sum);
}
