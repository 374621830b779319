/* entry: checks the stack pointer and the registers at the first instruction. It has no libc. */

#include <sys/syscall.h>

#if defined(__x86_64__)
#include "entry_x86_64.h"
#elif defined(__aarch64__)
#include "entry_aarch64.h"
#endif

/* Copies the text to the stack: the kernel cannot read a literal that no pager has brought in. */
static void say(const char *text)
{
	volatile char line[80];
	long length = 0;

	while (text[length] != '\0') {
		line[length] = text[length];
		length++;
	}
	call_kernel(SYS_write, 1, (const char *)line, length);
}

__attribute__((used)) static void report(const unsigned long *registers, unsigned long stack)
{
	int used = 0;

	for (int i = 0; i < REGISTERS; i++)
		used += registers[i] != 0;
	say(stack % 16 == 0 ? "stack aligned\n" : "stack not aligned\n");
	say(used == 0 ? "registers zero\n" : "registers not zero\n");
	call_kernel(SYS_exit_group, 0, 0, 0);
}
