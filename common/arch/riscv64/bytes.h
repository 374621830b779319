/*
 * The empty assembly keeps the compiler from replacing a loop by a call of memcpy or memset. Words
 * are used where both addresses are aligned: elsewhere a processor may trap at each.
 */
typedef uint64_t __attribute__((may_alias)) bytes_word;

static inline void bytes_copy(void *to, const void *from, uint64_t length)
{
	uint8_t *at = to;
	const uint8_t *source = from;

	if ((((uint64_t)at | (uint64_t)source) & 7) == 0)
		for (; length >= 8; length -= 8, at += 8, source += 8) {
			*(bytes_word *)at = *(const bytes_word *)source;
			__asm__ volatile("" : : : "memory");
		}
	for (; length > 0; length--) {
		*at++ = *source++;
		__asm__ volatile("" : : : "memory");
	}
}

static inline void bytes_fill(void *start, int byte, uint64_t length)
{
	uint8_t *at = start;

	if (((uint64_t)at & 7) == 0)
		for (; length >= 8; length -= 8, at += 8) {
			*(bytes_word *)at = (uint8_t)byte * UINT64_C(0x0101010101010101);
			__asm__ volatile("" : : : "memory");
		}
	for (; length > 0; length--) {
		*at++ = (uint8_t)byte;
		__asm__ volatile("" : : : "memory");
	}
}

/* To the processor an atomic operation is a write. There is none for single bytes. */
static inline void bytes_touch(void *at)
{
	uint64_t word = (uint64_t)at & ~UINT64_C(3);

	__asm__ volatile("amoor.w zero, zero, (%0)" : : "r"(word) : "memory");
}
