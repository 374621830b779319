static inline void entry_clear_thread_pointer(void)
{
	__asm__ volatile("msr	tpidr_el0, xzr");
}

/* The stub's last instruction is `b`, with a distance of 26 bits that counts instructions. */
#define BRANCH	     UINT32_C(0x14000000)
#define BRANCH_BITS  26
#define BRANCH_BYTES 4

static inline bool entry_stub_reaches(uint64_t end, uint64_t entry)
{
	int64_t distance = (int64_t)(entry - (end - BRANCH_BYTES));
	int64_t limit = INT64_C(1) << (BRANCH_BITS + 1);

	return distance >= -limit && distance < limit && distance % BRANCH_BYTES == 0;
}

/* The caller makes the page executable afterwards, and the kernel then cleans the caches for it. */
static inline void entry_stub_finish(uint64_t end, uint64_t entry)
{
	uint32_t distance = (uint32_t)((entry - (end - BRANCH_BYTES)) / BRANCH_BYTES);
	uint32_t branch = BRANCH | (distance & ((UINT32_C(1) << BRANCH_BITS) - 1));

	__builtin_memcpy((void *)(end - BRANCH_BYTES), &branch, sizeof(branch));
}
