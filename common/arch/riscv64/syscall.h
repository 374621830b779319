/*
 * System calls of riscv64 (syscall(2)): number in a7, arguments in a0 to a5, result in a0. The
 * kernel changes no other register.
 */
static inline long raw_syscall6(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
				uint64_t e, uint64_t f)
{
	register uint64_t a0 __asm__("a0") = a;
	register uint64_t a1 __asm__("a1") = b;
	register uint64_t a2 __asm__("a2") = c;
	register uint64_t a3 __asm__("a3") = d;
	register uint64_t a4 __asm__("a4") = e;
	register uint64_t a5 __asm__("a5") = f;
	register long a7 __asm__("a7") = number;

	__asm__ volatile("ecall"
			 : "+r"(a0)
			 : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7)
			 : "memory");
	return (long)a0;
}

static inline long raw_syscall3(long number, uint64_t a, uint64_t b, uint64_t c)
{
	register uint64_t a0 __asm__("a0") = a;
	register uint64_t a1 __asm__("a1") = b;
	register uint64_t a2 __asm__("a2") = c;
	register long a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
	return (long)a0;
}
