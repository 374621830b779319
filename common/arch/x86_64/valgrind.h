#define VALGRIND_RUNNING_ON_VALGRIND 0x1001

/*
 * The rotations add up to 128 bits and the exchange is none, so a processor does nothing here and
 * the answer stays 0. Valgrind knows the instructions again, and answers with how deep it is
 * nested.
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
