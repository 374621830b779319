/*
 * Pages, and arithmetic on numbers that come out of a file.
 *
 * Addresses and lengths are uint64_t in bytes; a range is [start, end), its end exclusive.
 * Everything here is pure and async-signal-safe, and may be used on both sides of the jump.
 */
#ifndef COMMON_PAGE_H
#define COMMON_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_BYTES UINT64_C(4096)

/* What one page table covers: a huge page. */
#define HUGE_BYTES (UINT64_C(2) << 20)
#define HUGE_PAGES (HUGE_BYTES / PAGE_BYTES)

/*
 * The end of user addresses with four-level page tables: TASK_SIZE of x86-64, one page below
 * 2^47. Processors with five levels hand out higher addresses only to those that ask for them.
 */
#define USER_ADDRESS_END UINT64_C(0x7ffffffff000)

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

#endif
