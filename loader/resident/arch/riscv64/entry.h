/* tp is a general register, which entry.S clears. */
static inline void entry_clear_thread_pointer(void)
{
}

/* The stub ends with auipc and jalr, which reach 2 GiB in both directions. */
#define ENTRY_JUMP_BYTES 8

static inline int64_t entry_jump_distance(uint64_t end, uint64_t entry)
{
	return (int64_t)(entry - (end - ENTRY_JUMP_BYTES));
}

/* jalr adds 12 bits with a sign, so auipc adds the distance rounded to the nearest 4096. */
static inline bool entry_stub_reaches(uint64_t end, uint64_t entry)
{
	int64_t rounded = entry_jump_distance(end, entry) + 0x800;

	return rounded == (int32_t)rounded;
}

static inline void entry_stub_finish(uint64_t end, uint64_t entry)
{
	int64_t distance = entry_jump_distance(end, entry);
	uint32_t jump[2];

	__builtin_memcpy(jump, (void *)(end - sizeof(jump)), sizeof(jump));
	jump[0] |= (uint32_t)(distance + 0x800) & 0xfffff000;
	jump[1] |= (uint32_t)distance << 20;
	__builtin_memcpy((void *)(end - sizeof(jump)), jump, sizeof(jump));
}
