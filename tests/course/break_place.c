/* break_place: how far the program break is after the end of .bss, and that it can be used. */
#include <stdio.h>
#include <unistd.h>
#include <sys/syscall.h>

extern char _end[];

int main(void)
{
	char *end = (char *)syscall(SYS_brk, 0);
	char *grown = (char *)syscall(SYS_brk, end + 4096);

	printf("the break lies %s .bss, at most 1 GiB away: %s\n", end >= _end ? "after" : "below",
	       end - _end <= (1L << 30) + 4096 ? "yes" : "no");
	printf("it has grown by %ld\n", (long)(grown - end));
	*end = 1;
	return 0;
}
