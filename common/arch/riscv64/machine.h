#define PAGE_BYTES     UINT64_C(4096)
#define PAGE_BYTES_MAX PAGE_BYTES

/*
 * DEFAULT_MAP_WINDOW of the kernel: 2^38 with three-level page tables (Sv39), 2^47 with four. With
 * five levels the kernel maps more only on request.
 */
#define USER_ADDRESS_END machine_address_end
extern uint64_t machine_address_end __attribute__((visibility("hidden")));

#define MMAP_RANDOM_BYTES (UINT64_C(1) << 30)
#define ASSEMBLY_COMMENT  "#"

#define MACHINE_ELF	 243 /* EM_RISCV */
#define MACHINE_NAME	 "riscv64"
#define MACHINE_PROGRAM	 "a riscv64 program"
#define MACHINE_TRIPLET	 "riscv64-linux"
#define MACHINE_ELF_32	 0 /* none: a 32-bit program has MACHINE_ELF as well */
#define MACHINE_IS_32	 "is a 32-bit program: build it for riscv64"
#define MACHINE_IS_ILP32 "is a 32-bit RISC-V program (riscv32): build it for riscv64"
#define MACHINE_HWCAP	 "ISA letters"

/* Whether the kernel compares EI_CLASS (elf_check_arch in arch/riscv/include/asm/elf.h). */
#define MACHINE_HAS_CLASS true

#define MACHINE_PLACE "pc"
#define MACHINE_STACK "sp"
#define MACHINE_ENTRY                                                                              \
	"   pc      %s\n"                                                                          \
	"   sp      0x%lx, on a boundary of 16 bytes, at argc\n"                                   \
	"   others  0, but t0: a libc would register a0 with atexit\n"                             \
	"   fcsr    0, floating point registers 0\n"

/* Text has no property. */
#define MACHINE_TEXT_PROTECTION 0
#define MACHINE_TEXT_PROPERTY	0
#define MACHINE_TEXT_BIT	0
#define MACHINE_TEXT_HWCAP2	0

#define KERNEL_ARCHITECTURE UINT32_C(0xc00000f3)
#define KERNEL_MINSIGSTKSZ  2048

/* There is no restorer: handlers return to the vDSO. */
struct kernel_sigaction {
	void (*handler)(int, void *, void *); /* or KERNEL_SIG_DFL */
	uint64_t flags;
	uint64_t mask;
};

#define KERNEL_SA_RESTORER UINT64_C(0)

static inline void kernel_sigaction_set_restorer(struct kernel_sigaction *action,
						 void (*restorer)(void))
{
	(void)action;
	(void)restorer;
}

#define ARCH_INTERCEPTS	 true
#define ARCH_REWRITES	 false
#define ARCH_STACK_FIRST false
