/* The page with the calls that old programs use (arch/x86/entry/vsyscall). */
#define VSYSCALL_PAGE UINT64_C(0xffffffffff600000)

static inline bool emulation_is_call(const struct kernel_registers *registers)
{
	return (registers->rip & ~UINT64_C(0xfff)) == VSYSCALL_PAGE;
}
