#define PAGE_BYTES     UINT64_C(4096)
#define PAGE_BYTES_MAX PAGE_BYTES

/*
 * The end with four-level page tables: TASK_SIZE, one page below 2^47. With five levels the kernel
 * maps higher addresses only on request.
 */
#define USER_ADDRESS_END UINT64_C(0x7ffffffff000)

#define MMAP_RANDOM_BYTES (UINT64_C(1) << 40)
#define ASSEMBLY_COMMENT  "#"

#define MACHINE_ELF	 62 /* EM_X86_64 */
#define MACHINE_NAME	 "x86-64"
#define MACHINE_PROGRAM	 "an x86-64 program"
#define MACHINE_TRIPLET	 "x86_64-linux"
#define MACHINE_ELF_32	 3 /* EM_386 */
#define MACHINE_IS_32	 "is a 32-bit x86 program (i386): build it for x86-64 (-m64)"
#define MACHINE_IS_ILP32 "is a 32-bit x86-64 program (x32): build it with -m64"
#define MACHINE_HWCAP	 "CPUID 1, edx"

/* Whether the kernel compares EI_CLASS (elf_check_arch in arch/x86/include/asm/elf.h). */
#define MACHINE_HAS_CLASS false

#define MACHINE_PLACE "rip"
#define MACHINE_STACK "rsp"
#define MACHINE_ENTRY                                                                              \
	"   rip     %s\n"                                                                          \
	"   rsp     0x%lx, on a boundary of 16 bytes, at argc\n"                                   \
	"   others  0: a libc would register rdx with atexit\n"                                    \
	"   rflags  0x202, MXCSR 0x1f80, x87 control word 0x37f, vector registers 0\n"

/* Text has no property. */
#define MACHINE_TEXT_PROTECTION 0
#define MACHINE_TEXT_PROPERTY	0
#define MACHINE_TEXT_BIT	0
#define MACHINE_TEXT_HWCAP2	0

#define KERNEL_ARCHITECTURE UINT32_C(0xc000003e)
#define KERNEL_MINSIGSTKSZ  2048

struct kernel_sigaction {
	void (*handler)(int, void *, void *); /* or KERNEL_SIG_DFL */
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

#define ARCH_INTERCEPTS	 true
#define ARCH_REWRITES	 false
#define ARCH_STACK_FIRST true

#define KERNEL_SA_RESTORER UINT64_C(0x04000000)

static inline void kernel_sigaction_set_restorer(struct kernel_sigaction *action,
						 void (*restorer)(void))
{
	action->flags |= KERNEL_SA_RESTORER;
	action->restorer = restorer;
}
