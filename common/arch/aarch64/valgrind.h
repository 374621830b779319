#define VALGRIND_RUNNING_ON_VALGRIND 0x1001

/*
 * The rotations add up to 128 bits and the last instruction has no effect, so on a processor
 * nothing happens and the answer stays 0. Valgrind recognizes the instructions, and answers with
 * its nesting depth.
 */
static inline bool runs_under_valgrind(void)
{
	const volatile uint64_t request[6] = {VALGRIND_RUNNING_ON_VALGRIND};
	register uint64_t answer __asm__("x3") = 0;
	register const volatile uint64_t *place __asm__("x4") = request;

	__asm__ volatile(
	    "ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61\n\t"
	    "orr x10, x10, x10"
	    : "+r"(answer)
	    : "r"(place)
	    : "x12", "cc", "memory");
	return answer != 0;
}
