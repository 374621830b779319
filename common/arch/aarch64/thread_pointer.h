static inline uint64_t thread_pointer(void)
{
	uint64_t address;

	__asm__("mrs	%0, tpidr_el0" : "=r"(address));
	return address;
}
