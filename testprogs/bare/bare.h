/*
 * bare.h: what a guest without a libc needs: raw system calls, and text collected in a buffer on
 * the stack and written with one call. Nothing here needs relocations or writable static memory,
 * and no system call is given an address outside the stack, so a guest built on it disturbs no page
 * of the program other than those it chooses to touch.
 */
#pragma once

#include <asm/unistd.h>
#include <stddef.h>
#include <stdint.h>

/* BARE_START: at _start, calls report() with the stack pointer that exec has set. */
#if defined(__x86_64__)
#define BARE_START "	mov %rsp, %rdi\n	and $-16, %rsp\n	call report\n	hlt\n"
#elif defined(__riscv)
#define BARE_START "	mv a0, sp\n	call report\n	unimp\n"
#define BARE_CALL  "ecall"
#else
#define BARE_START "	mov x0, sp\n	bl report\n	udf #0\n"
#define BARE_CALL  "svc 0"
#endif

struct output {
	size_t length;
	char text[8000];
};

static inline long bare_call(long number, long a, long b, long c, long d)
{
#if defined(__x86_64__)
	register long fourth __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
			 : "rcx", "r11", "memory");
	return result;
#else
#if defined(__riscv)
	register long name __asm__("a7") = number, first __asm__("a0") = a;
	register long second __asm__("a1") = b, third __asm__("a2") = c, fourth __asm__("a3") = d;
#else
	register long name __asm__("x8") = number, first __asm__("x0") = a;
	register long second __asm__("x1") = b, third __asm__("x2") = c, fourth __asm__("x3") = d;
#endif
	__asm__ volatile(BARE_CALL
			 : "+r"(first)
			 : "r"(name), "r"(second), "r"(third), "r"(fourth)
			 : "memory");
	return first;
#endif
}

/* Makes four bytes of code that were just written visible to the processor's fetches. */
static inline void bare_flush(const void *code)
{
#if defined(__x86_64__)
	(void)code;
#elif defined(__riscv)
	bare_call(__NR_riscv_flush_icache, (long)code, (long)code + 4, 0, 0);
#else
	__asm__ volatile("dc cvau, %0; dsb ish; ic ivau, %0; dsb ish; isb"
			 :
			 : "r"(code)
			 : "memory");
#endif
}

static inline void put_character(struct output *output, char character)
{
	if (output->length < sizeof(output->text))
		output->text[output->length++] = character;
}

static inline void put_text(struct output *output, const char *text)
{
	while (*text)
		put_character(output, *text++);
}

static inline void put_hex(struct output *output, uint64_t value)
{
	int shift = 60;

	while (shift > 0 && !(value >> shift))
		shift -= 4;
	put_text(output, "0x");
	for (; shift >= 0; shift -= 4)
		put_character(output, "0123456789abcdef"[value >> shift & 15]);
}

static inline void put_decimal(struct output *output, uint64_t value)
{
	uint64_t unit = 1;

	while (value / unit >= 10)
		unit *= 10;
	for (; unit; unit /= 10)
		put_character(output, (char)('0' + value / unit % 10));
}

static inline void put_check(struct output *output, const char *what, int holds)
{
	put_text(output, what);
	put_text(output, holds ? ": yes\n" : ": no\n");
}

static inline _Noreturn void finish(struct output *output, int status)
{
	bare_call(__NR_write, 1, (long)output->text, (long)output->length, 0);
	for (;;)
		bare_call(__NR_exit, status, 0, 0, 0);
}
