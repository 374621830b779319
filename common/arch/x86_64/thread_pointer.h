/*
 * The address in %fs, which the C library also stores at offset 0 of the memory there (psABI, "ELF
 * Handling For Thread-Local Storage"). gcc before 11 has no __builtin_thread_pointer() for x86-64.
 */
static inline uint64_t thread_pointer(void)
{
	uint64_t address;

	__asm__("mov %%fs:0, %0" : "=r"(address));
	return address;
}
