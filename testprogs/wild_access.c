/*
 * wild_access NAME: one fault of the program's own. A handler that serves lazy pages must let each
 * fault kill the program with the signal of a native run, and must not serve it again and again.
 * Text and constants are not writable. .data, .bss and the stack are not executable, because the
 * program has a PT_GNU_STACK without PF_X.
 */
#include "word.h"

#include <stdio.h>
#include <string.h>

/* Sixteen bits above the 48 used: x86-64 raises #GP and the kernel reports address 0. */
#define NON_CANONICAL 0x4141414141414141UL
#define KERNEL_HALF   0xffff888000000000UL
/* Above vm.mmap_min_addr and below every program: mappable, and not mapped. */
#define UNMAPPED 0x20000UL

/* An instruction that no processor of its kind has. */
#if defined(__aarch64__)
#define ILLEGAL ".inst 0"
#elif defined(__riscv)
#define ILLEGAL "unimp"
#else
#define ILLEGAL "ud2"
#endif

#define CODE_BYTES 16

static const char constant[64] = "do not write here";
static _Alignas(CODE_BYTES) unsigned char in_data[CODE_BYTES] = {1, 2, 3};
static _Alignas(CODE_BYTES) unsigned char in_bss[CODE_BYTES];

static void overflow_stack(volatile char *previous)
{
	volatile char frame[4096];

	frame[0] = previous[0];
	overflow_stack(frame);
	frame[1] = 0;
}

static void access_address(unsigned long address)
{
	printf("%d\n", *(volatile char *)address);
}

static void jump_to(unsigned long address)
{
	((void (*)(void))address)();
}

static void do_nothing(void)
{
}

/* Copies a function that returns at once, and calls the copy. */
static void execute(unsigned char *place)
{
	memcpy(place, (const void *)do_nothing, CODE_BYTES);
	__builtin___clear_cache((char *)place, (char *)place + CODE_BYTES);
	((void (*)(void))place)();
}

int main(int argc, char **argv)
{
	_Alignas(CODE_BYTES) unsigned char on_stack[CODE_BYTES];
	const char *way =
	    WORD(1, "none", "non_canonical", "kernel_half", "unmapped", "write_null", "write_text",
		 "write_constant", "execute_data", "execute_bss", "execute_stack", "jump_null",
		 "jump_non_canonical", "stack_overflow", "divide_by_zero", "illegal_instruction");
	volatile int zero = 0;

	printf("way %s\n", way);
	fflush(stdout);
	if (strcmp(way, "non_canonical") == 0)
		access_address(NON_CANONICAL);
	else if (strcmp(way, "kernel_half") == 0)
		access_address(KERNEL_HALF);
	else if (strcmp(way, "unmapped") == 0)
		access_address(UNMAPPED);
	else if (strcmp(way, "write_null") == 0)
		*(volatile char *)(long)zero = 1;
	else if (strcmp(way, "write_text") == 0)
		*(volatile char *)main = 0;
	else if (strcmp(way, "write_constant") == 0)
		*(volatile char *)constant = 'D';
	else if (strcmp(way, "execute_data") == 0)
		execute(in_data);
	else if (strcmp(way, "execute_bss") == 0)
		execute(in_bss);
	else if (strcmp(way, "execute_stack") == 0)
		execute(on_stack);
	else if (strcmp(way, "jump_null") == 0)
		jump_to(0);
	else if (strcmp(way, "jump_non_canonical") == 0)
		jump_to(NON_CANONICAL);
	else if (strcmp(way, "stack_overflow") == 0)
		overflow_stack((volatile char *)&zero);
	else if (strcmp(way, "divide_by_zero") == 0)
		printf("%d\n", (argc + 40) / zero);
	else if (strcmp(way, "illegal_instruction") == 0)
		__asm__ volatile(ILLEGAL);
	puts("survived");
}
