/* For processors whose kernels have page tables of several depths. */
#pragma once

#include <stdint.h>

/*
 * The end of the user addresses that the kernel uses unasked: the power of two above the caller's
 * stack, which the kernel puts near that end (STACK_RND_MASK of each processor). A constructor
 * asks.
 */
static inline uint64_t address_end_above_stack(void)
{
	return UINT64_C(1) << (64 - __builtin_clzl((uint64_t)__builtin_frame_address(0)));
}
