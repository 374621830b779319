#define KERNEL_ARCH_SET_FS 0x1002 /* arch_prctl(2) */

static inline void entry_clear_thread_pointer(void)
{
	raw_syscall2(SYS_arch_prctl, KERNEL_ARCH_SET_FS, 0);
}
