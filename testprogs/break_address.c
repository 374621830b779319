/* break_address: prints the initial break, which must differ from run to run unless ASLR is off. */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	printf("%#lx\n", (unsigned long)syscall(SYS_brk, 0));
}
