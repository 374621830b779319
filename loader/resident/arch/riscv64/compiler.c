/*
 * Functions that the compiler calls where the processor has no instruction: to count the zeros
 * below a bit, and to exchange a byte atomically.
 */
#include <stdbool.h>
#include <stdint.h>

int __ctzdi2(uint64_t word);
uint8_t __atomic_exchange_1(volatile void *at, uint8_t byte, int order);

int __ctzdi2(uint64_t word)
{
	int zeros = 0;

	for (; (word & 1) == 0; word >>= 1)
		zeros++;
	return zeros;
}

/* As part of an exchange of the four bytes around it. */
uint8_t __atomic_exchange_1(volatile void *at, uint8_t byte, int order)
{
	volatile uint32_t *word = (volatile uint32_t *)((uint64_t)at & ~UINT64_C(3));
	unsigned shift = ((uint64_t)at & 3) * 8;
	uint32_t old = *word;

	(void)order;
	while (!__atomic_compare_exchange_n(
	    word, &old, (old & ~(UINT32_C(0xff) << shift)) | (uint32_t)byte << shift, false,
	    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
	return (uint8_t)(old >> shift);
}
