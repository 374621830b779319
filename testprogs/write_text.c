/* write_text: writes to its own code. Text is mapped without PROT_WRITE: death by SIGSEGV. */
#include <stdio.h>

int main(void)
{
	puts("writing to .text");
	fflush(stdout);
	*(volatile char *)main = 0;
	puts("survived");
	return 0;
}
