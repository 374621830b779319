/* The kernel's emulation of arm64 instructions writes to registers only. */
static inline bool emulation_is_call(const struct kernel_registers *registers)
{
	(void)registers;
	return false;
}
