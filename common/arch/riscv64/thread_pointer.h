/* tp is a register that only the C library sets (psABI, "Integer Register Convention"). */
static inline uint64_t thread_pointer(void)
{
	return (uint64_t)__builtin_thread_pointer();
}
