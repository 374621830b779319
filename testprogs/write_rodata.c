/* write_rodata: writes to a constant. Death by SIGSEGV. */
#include <stdio.h>

static const char constant[64] = "do not write here";

int main(void)
{
	puts(constant);
	fflush(stdout);
	*(volatile char *)constant = 'D';
	puts("survived");
	return 0;
}
