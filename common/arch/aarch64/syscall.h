/*
 * System calls of arm64 (syscall(2)): number in x8, arguments in x0 to x5, result in x0. The kernel
 * keeps every other register.
 */
static inline long raw_syscall6(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
				uint64_t e, uint64_t f)
{
	register long x8 __asm__("x8") = number;
	register uint64_t x0 __asm__("x0") = a;
	register uint64_t x1 __asm__("x1") = b;
	register uint64_t x2 __asm__("x2") = c;
	register uint64_t x3 __asm__("x3") = d;
	register uint64_t x4 __asm__("x4") = e;
	register uint64_t x5 __asm__("x5") = f;

	__asm__ volatile("svc	#0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return (long)x0;
}

static inline long raw_syscall3(long number, uint64_t a, uint64_t b, uint64_t c)
{
	register long x8 __asm__("x8") = number;
	register uint64_t x0 __asm__("x0") = a;
	register uint64_t x1 __asm__("x1") = b;
	register uint64_t x2 __asm__("x2") = c;

	__asm__ volatile("svc	#0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return (long)x0;
}
