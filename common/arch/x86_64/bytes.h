/*
 * `rep movsb` and `rep stosb` are short, and fast on every processor of the last ten years.
 */
static inline void bytes_copy(void *to, const void *from, uint64_t length)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(length) : : "memory");
}

static inline void bytes_fill(void *start, int byte, uint64_t length)
{
	__asm__ volatile("rep stosb" : "+D"(start), "+c"(length) : "a"(byte) : "memory");
}

static inline void bytes_touch(void *at)
{
	__asm__ volatile("orb	$0, %0" : "+m"(*(uint8_t *)at));
}
