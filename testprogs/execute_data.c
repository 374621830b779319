/*
 * execute_data: jumps into .data, .bss or the stack, as its argument says. None of them is
 * executable (the program has a PT_GNU_STACK without PF_X): death by SIGSEGV, not a return.
 */
#include <stdio.h>
#include <string.h>

#define RET 0xc3

static unsigned char in_data[16] = {RET, 1, 2, 3};
static unsigned char in_bss[16];

int main(int argc, char **argv)
{
	unsigned char on_stack[16] = {RET};
	unsigned char *place = in_data;

	if (argc > 1 && strcmp(argv[1], "bss") == 0)
		place = in_bss;
	else if (argc > 1 && strcmp(argv[1], "stack") == 0)
		place = on_stack;
	*(volatile unsigned char *)place = RET;
	puts("jumping into data");
	fflush(stdout);
	__asm__ volatile("call *%0" : : "r"(place) : "memory");
	puts("survived");
	return 0;
}
