/*
 * System calls of x86-64 (psABI, appendix A.2): number in rax, arguments in rdi, rsi, rdx, r10, r8,
 * r9; the kernel overwrites rcx and r11.
 */
static inline long raw_syscall6(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
				uint64_t e, uint64_t f)
{
	register uint64_t r10 __asm__("r10") = d;
	register uint64_t r8 __asm__("r8") = e;
	register uint64_t r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static inline long raw_syscall3(long number, uint64_t a, uint64_t b, uint64_t c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}
