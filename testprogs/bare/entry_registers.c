/*
 * entry_registers: every register as the program's first instruction finds it. The kernel clears
 * the general registers, although the psABI leaves all but rsp and rdx undefined. It sets rflags to
 * 0x202, MXCSR and the x87 state to their defaults, and no fs or gs base.
 */
#include "bare.h"

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

static void put_register(struct output *output, const char *name, uint64_t value)
{
	put_text(output, name);
	put_character(output, ' ');
	put_hex(output, value);
	put_character(output, '\n');
}

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

__attribute__((used)) static _Noreturn void report(const struct entry_state *state)
{
	struct output output;
	uint64_t vectors = 0;

	output.length = 0;
	put_registers(&output, "r15 r14 r13 r12 r11 r10 r9  r8  rbp rdi rsi rdx rcx rbx rax ",
		      state->general, 15);
	put_register(&output, "rflags", state->flags);
	put_registers(&output, "gs  fs  es  ds  ss  cs  ", state->segment, 6);
	put_register(&output, "fs base", segment_base(ARCH_GET_FS));
	put_register(&output, "gs base", segment_base(ARCH_GET_GS));
	put_register(&output, "mxcsr", state->mxcsr);
	put_register(&output, "x87 control word", state->x87[0] | state->x87[1] << 8);
	put_register(&output, "x87 status word", state->x87[4] | state->x87[5] << 8);
	put_register(&output, "x87 tag word", state->x87[8] | state->x87[9] << 8);
	for (int i = 0; i < 16; i++)
		vectors |= state->xmm[i][0] | state->xmm[i][1];
	put_check(&output, "xmm0 to xmm15 are zero", vectors == 0);
	put_register(&output, "rsp modulo 16", (uintptr_t)&state->argc % 16);
	put_register(&output, "argc", state->argc);
	finish(&output, 0);
}
