#define VALGRIND_RUNNING_ON_VALGRIND 0x1001

/*
 * The rotations add up to 128 bits and the exchange has no effect, so on a processor nothing
 * happens and the answer stays 0. Valgrind recognizes the instructions, and answers with its
 * nesting depth.
 */
static inline bool runs_under_valgrind(void)
{
	const volatile uint64_t request[6] = {VALGRIND_RUNNING_ON_VALGRIND};
	uint64_t answer = 0;

	__asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t"
			 "xchgq %%rbx, %%rbx"
			 : "+d"(answer)
			 : "a"(request)
			 : "cc", "memory");
	return answer != 0;
}
