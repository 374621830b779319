#define KERNEL_ARCH_SET_FS 0x1002 /* arch_prctl(2) */

static inline void entry_clear_thread_pointer(void)
{
	raw_syscall2(SYS_arch_prctl, KERNEL_ARCH_SET_FS, 0);
}

/* The stub ends with a jump by a displacement of 32 bits, its last bytes. */
static inline bool entry_stub_reaches(uint64_t end, uint64_t entry)
{
	int64_t distance = (int64_t)(entry - end);

	return distance == (int32_t)distance;
}

static inline void entry_stub_finish(uint64_t end, uint64_t entry)
{
	int32_t displacement = (int32_t)(entry - end);

	__builtin_memcpy((void *)(end - sizeof(displacement)), &displacement, sizeof(displacement));
}
