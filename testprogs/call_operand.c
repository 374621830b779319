/*
 * call_operand: on arm64 the instruction of a system call has an operand, which Linux ignores. The
 * calls read and write fresh memory. Elsewhere the C library makes them.
 */
#include "guest.h"

#ifdef __aarch64__
#define CALL(operand, number, first, second, third)                                                \
	({                                                                                         \
		register long x8 __asm__("x8") = (number);                                         \
		register long x0 __asm__("x0") = (first);                                          \
		register long x1 __asm__("x1") = (long)(second);                                   \
		register long x2 __asm__("x2") = (third);                                          \
                                                                                                   \
		__asm__ volatile("svc	#" #operand                                                \
				 : "+r"(x0)                                                        \
				 : "r"(x8), "r"(x1), "r"(x2)                                       \
				 : "memory");                                                      \
		x0;                                                                                \
	})
#else
#define CALL(operand, number, first, second, third) syscall(number, first, second, third)
#endif

static char text[3 * 65536] = {[65536] = 'a', [65536 + 4999] = 'z'};
static FRESH(char bytes[5000]) in;
static FRESH(struct stat stat) about;

int main(void)
{
	int ends[2];

	must(pipe(ends) == 0);
	printf("written %ld\n", CALL(1, SYS_write, ends[1], text + 65536, 5000L));
	printf("read %ld\n", CALL(128, SYS_read, ends[0], in.bytes, 5000L));
	printf("%c %c\n", in.bytes[0], in.bytes[4999]);
	printf("fstat %ld\n", CALL(65535, SYS_fstat, ends[0], &about.stat, 0L));
	printf("a pipe: %d\n", S_ISFIFO(about.stat.st_mode));
	mark();
}
