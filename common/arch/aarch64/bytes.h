/*
 * Loops over words. The empty statement keeps the compiler from replacing a loop by a call of
 * memcpy or memset, which resident code has not.
 */
#define BYTES_NO_CALL() __asm__ volatile("" : : : "memory")

static inline void bytes_copy(void *to, const void *from, uint64_t length)
{
	uint8_t *target = to;
	const uint8_t *source = from;
	uint64_t word;

	for (; length >= sizeof(word); length -= sizeof(word)) {
		__builtin_memcpy(&word, source, sizeof(word));
		__builtin_memcpy(target, &word, sizeof(word));
		BYTES_NO_CALL();
		target += sizeof(word);
		source += sizeof(word);
	}
	for (; length > 0; length--) {
		*target++ = *source++;
		BYTES_NO_CALL();
	}
}

static inline void bytes_fill(void *start, int byte, uint64_t length)
{
	uint8_t *at = start;
	uint64_t word = UINT64_C(0x0101010101010101) * (uint8_t)byte;

	for (; length >= sizeof(word); length -= sizeof(word)) {
		__builtin_memcpy(at, &word, sizeof(word));
		BYTES_NO_CALL();
		at += sizeof(word);
	}
	for (; length > 0; length--) {
		*at++ = (uint8_t)byte;
		BYTES_NO_CALL();
	}
}

/* No instruction of the first processors reads and writes in one step, so this may fault twice. */
static inline void bytes_touch(void *at)
{
	volatile uint8_t *byte = at;

	*byte = *byte;
}
