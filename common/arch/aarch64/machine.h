/*
 * Pages have 4, 16 or 64 KiB, which the kernel was built for. Host code and resident code each have
 * the number in a variable (page_bytes.c).
 */
#if __STDC_HOSTED__
#define PAGE_BYTES machine_page_bytes
#else
#define PAGE_BYTES resident_launch_page_bytes
#endif
extern uint64_t PAGE_BYTES __attribute__((visibility("hidden")));
#define PAGE_BYTES_MAX UINT64_C(65536)

/*
 * DEFAULT_MAP_WINDOW of the kernel, a power of two that depends on its page tables. More is mapped
 * only on request.
 */
#define USER_ADDRESS_END machine_address_end
extern uint64_t machine_address_end __attribute__((visibility("hidden")));

#define MMAP_RANDOM_BYTES (UINT64_C(1) << 30)
#define ASSEMBLY_COMMENT  "//"

#define MACHINE_ELF	183 /* EM_AARCH64 */
#define MACHINE_NAME	"arm64"
#define MACHINE_PROGRAM "an arm64 program"
#define MACHINE_TRIPLET "aarch64-linux"
#define MACHINE_ELF_32	40 /* EM_ARM */
#define MACHINE_IS_32	"is a 32-bit Arm program: build it for arm64 (aarch64)"
#define MACHINE_IS_ILP32                                                                           \
	"is an arm64 program with 32-bit addresses (ILP32): build it with -mabi=lp64"
#define MACHINE_HWCAP "ID registers"

/* Whether the kernel compares EI_CLASS (elf_check_arch in arch/arm64/include/asm/elf.h). */
#define MACHINE_HAS_CLASS false

#define MACHINE_PLACE "pc"
#define MACHINE_STACK "sp"
#define MACHINE_ENTRY                                                                              \
	"   pc      %s\n"                                                                          \
	"   sp      0x%lx, on a boundary of 16 bytes, at argc\n"                                   \
	"   others  0: a libc would register x0 with atexit\n"                                     \
	"   flags   0, fpcr 0, fpsr 0, tpidr_el0 0, vector registers 0\n"

/* Branch target identification: arch_elf_adjust_prot in arch/arm64/kernel/process.c. */
#define MACHINE_TEXT_PROTECTION 0x10		     /* PROT_BTI */
#define MACHINE_TEXT_PROPERTY	UINT32_C(0xc0000000) /* GNU_PROPERTY_AARCH64_FEATURE_1_AND */
#define MACHINE_TEXT_BIT	1		     /* GNU_PROPERTY_AARCH64_FEATURE_1_BTI */
#define MACHINE_TEXT_HWCAP2	(UINT64_C(1) << 17)  /* HWCAP2_BTI */

#define KERNEL_ARCHITECTURE UINT32_C(0xc00000b7)
#define KERNEL_MINSIGSTKSZ  5120

struct kernel_sigaction {
	void (*handler)(int, void *, void *); /* or KERNEL_SIG_DFL */
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

#define KERNEL_SA_RESTORER UINT64_C(0x04000000)

static inline void kernel_sigaction_set_restorer(struct kernel_sigaction *action,
						 void (*restorer)(void))
{
	action->flags |= KERNEL_SA_RESTORER;
	action->restorer = restorer;
}

/* No released kernel has dispatch for arm64. */
#define ARCH_INTERCEPTS	 true
#define ARCH_REWRITES	 true
#define ARCH_STACK_FIRST false
