/*
 * machine/entry_state.h: every register at a program's first instruction. `_start` saves them as a
 * struct entry_state below the first argument's count, and calls report(); put_state() writes them
 * out.
 */
#pragma once

#include "../bare/bare.h"

static void put_register(struct output *output, const char *name, uint64_t value)
{
	put_text(output, name);
	put_character(output, ' ');
	put_hex(output, value);
	put_character(output, '\n');
}

static int are_zero(const uint64_t *words, int count)
{
	uint64_t bits = 0;

	for (int i = 0; i < count; i++)
		bits |= words[i];
	return bits == 0;
}

#if defined(__x86_64__)
#define ARCH_GET_FS 0x1003
#define ARCH_GET_GS 0x1004

/* What _start pushes, lowest address first. */
struct entry_state {
	uint8_t x87[32]; /* fnstenv: control, status and tag word in every fourth byte */
	uint64_t mxcsr;
	uint64_t xmm[16][2];
	uint64_t segment[6];
	uint64_t general[15];
	uint64_t flags;
	uint64_t argc;
};

/*
 * In: the state at exec; rsp at argc. Pushing changes neither flags nor registers; rax is free to
 * use once it is saved. The stack is aligned only after everything has been saved.
 */
__asm__(
    ".globl _start\n"
    "_start:\n"
    "	pushfq\n"
    "	push %rax; push %rbx; push %rcx; push %rdx; push %rsi; push %rdi; push %rbp\n"
    "	push %r8; push %r9; push %r10; push %r11; push %r12; push %r13; push %r14; push %r15\n"
    "	mov %cs, %eax; push %rax\n"
    "	mov %ss, %eax; push %rax\n"
    "	mov %ds, %eax; push %rax\n"
    "	mov %es, %eax; push %rax\n"
    "	mov %fs, %eax; push %rax\n"
    "	mov %gs, %eax; push %rax\n"
    "	sub $256, %rsp\n"
    "	movups %xmm0, 0(%rsp); movups %xmm1, 16(%rsp)\n"
    "	movups %xmm2, 32(%rsp); movups %xmm3, 48(%rsp)\n"
    "	movups %xmm4, 64(%rsp); movups %xmm5, 80(%rsp)\n"
    "	movups %xmm6, 96(%rsp); movups %xmm7, 112(%rsp)\n"
    "	movups %xmm8, 128(%rsp); movups %xmm9, 144(%rsp)\n"
    "	movups %xmm10, 160(%rsp); movups %xmm11, 176(%rsp)\n"
    "	movups %xmm12, 192(%rsp); movups %xmm13, 208(%rsp)\n"
    "	movups %xmm14, 224(%rsp); movups %xmm15, 240(%rsp)\n"
    "	push $0; stmxcsr (%rsp)\n"
    "	sub $32, %rsp; fnstenv (%rsp)\n"
    "	mov %rsp, %rdi\n"
    "	and $-16, %rsp\n"
    "	call report\n"
    "	hlt\n");

/* Names are one string of four characters each: an array of pointers would need relocations. */
static void put_registers(struct output *output, const char *names, const uint64_t *values,
			  int count)
{
	for (int i = 0; i < count; i++) {
		const char *name = names + 4 * (count - 1 - i);

		for (int j = 0; j < 4; j++)
			put_character(output, name[j]);
		put_hex(output, values[count - 1 - i]);
		put_character(output, '\n');
	}
}

static uint64_t segment_base(long which)
{
	uint64_t base = 0;

	bare_call(__NR_arch_prctl, which, (long)&base, 0, 0);
	return base;
}

static void put_state(struct output *output, const struct entry_state *state)
{
	put_registers(output, "r15 r14 r13 r12 r11 r10 r9  r8  rbp rdi rsi rdx rcx rbx rax ",
		      state->general, 15);
	put_register(output, "rflags", state->flags);
	put_registers(output, "gs  fs  es  ds  ss  cs  ", state->segment, 6);
	put_register(output, "fs base", segment_base(ARCH_GET_FS));
	put_register(output, "gs base", segment_base(ARCH_GET_GS));
	put_register(output, "mxcsr", state->mxcsr);
	put_register(output, "x87 control word", state->x87[0] | state->x87[1] << 8);
	put_register(output, "x87 status word", state->x87[4] | state->x87[5] << 8);
	put_register(output, "x87 tag word", state->x87[8] | state->x87[9] << 8);
	put_check(output, "xmm0 to xmm15 are zero", are_zero(state->xmm[0], 32));
}
#elif defined(__aarch64__)
struct entry_state {
	uint64_t general[31];
	uint64_t flags, fpcr, fpsr, thread, unused;
	uint64_t vectors[32][2];
	uint64_t argc;
};

/* Storing changes neither flags nor registers; x0 is free to use once it is saved. */
__asm__(".globl _start\n"
	"_start:\n"
	"	sub sp, sp, #800\n"
	"	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27\n"
	"	str x\\n, [sp, #8*\\n]\n"
	"	str q\\n, [sp, #288+16*\\n]\n"
	"	.endr\n"
	"	stp x28, x29, [sp, #224]\n"
	"	str x30, [sp, #240]\n"
	"	stp q28, q29, [sp, #736]\n"
	"	stp q30, q31, [sp, #768]\n"
	"	mrs x0, nzcv\n"
	"	str x0, [sp, #248]\n"
	"	mrs x0, fpcr\n"
	"	str x0, [sp, #256]\n"
	"	mrs x0, fpsr\n"
	"	str x0, [sp, #264]\n"
	"	mrs x0, tpidr_el0\n"
	"	str x0, [sp, #272]\n"
	"	mov x0, sp\n"
	"	bl report\n"
	"	udf #0\n");

static void put_state(struct output *output, const struct entry_state *state)
{
	for (unsigned i = 0; i < 31; i++) {
		put_character(output, 'x');
		put_decimal(output, i);
		put_register(output, "", state->general[i]);
	}
	put_register(output, "nzcv", state->flags);
	put_register(output, "fpcr", state->fpcr);
	put_register(output, "fpsr", state->fpsr);
	put_register(output, "tpidr_el0", state->thread);
	put_check(output, "v0 to v31 are zero", are_zero(state->vectors[0], 64));
}
#else
/*
 * The general registers are not compared: exec leaves those of its caller there, and the loaders
 * clear them.
 */
struct entry_state {
	uint64_t floats[32];
	uint64_t fcsr, unused;
	uint64_t argc;
};

__asm__(".globl _start\n"
	"_start:\n"
	"	addi sp, sp, -272\n"
	"	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
	"	fsd f\\n, 8*\\n(sp)\n"
	"	.endr\n"
	"	.irp n, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
	"	fsd f\\n, 8*\\n(sp)\n"
	"	.endr\n"
	"	frcsr t0\n"
	"	sd t0, 256(sp)\n"
	"	mv a0, sp\n"
	"	call report\n"
	"	unimp\n");

static void put_state(struct output *output, const struct entry_state *state)
{
	put_register(output, "fcsr", state->fcsr);
	put_check(output, "f0 to f31 are zero", are_zero(state->floats, 32));
}
#endif
