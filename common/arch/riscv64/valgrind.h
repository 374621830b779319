#define VALGRIND_RUNNING_ON_VALGRIND 0x1001

/*
 * The shifts write to the zero register and the last instruction changes nothing, so on a processor
 * nothing happens and the answer stays 0. Valgrind recognizes the instructions, and answers with
 * its nesting depth.
 */
static inline bool runs_under_valgrind(void)
{
	const volatile uint64_t request[6] = {VALGRIND_RUNNING_ON_VALGRIND};
	register uint64_t answer __asm__("a3") = 0;
	register const volatile uint64_t *arguments __asm__("a4") = request;

	__asm__ volatile(".option push\n\t.option norvc\n\t"
			 "srli zero, zero, 3\n\tsrli zero, zero, 13\n\t"
			 "srli zero, zero, 51\n\tsrli zero, zero, 61\n\t"
			 "or a0, a0, a0\n\t.option pop"
			 : "+r"(answer)
			 : "r"(arguments)
			 : "memory");
	return answer != 0;
}
