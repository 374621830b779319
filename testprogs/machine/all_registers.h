/*
 * machine/all_registers.h: functions of assembly for signal_registers. Each loads every register
 * from given, sets the flags, writes below the stack pointer, does its work, and stores all in
 * kept.
 */
#pragma once

/* clang-format off */
#define EACH_PLACE(does) \
	does(1) does(2) does(3) does(4) does(5) does(6) does(7) does(8) \
	does(9) does(10) does(11) does(12) does(13) does(14) does(15) does(16)

#if defined(__x86_64__)
enum { FIRST = 4, SECOND = 3, RESULT = 12, NUMBER = RESULT, REGISTERS = 13 };
enum { FLAGS = 1, HAS_RED_ZONE = 1 };
#define CHANGE "xor %%ebx, %%ebx\n\txor %%r12d, %%r12d\n\txor %%r15d, %%r15d"
#define CHANGED_BY_IT "rbx", "r12", "r13", "r14", "r15", "rsi", "rdi", "r8", "r9", "r10"
#define TRAPS "	ud2\n"
#define CALLS "	syscall\n"
#define EACH_REGISTER(does) \
	does(0, rbx) does(1, rbp) does(2, rdx) does(3, rsi) does(4, rdi) does(5, r8) \
	does(6, r9) does(7, r10) does(8, r12) does(9, r13) does(10, r14) does(11, r15) does(12, rax)
#define LOAD(n, name) "	mov given+8*" #n "(%rip), %" #name "\n"
#define SAVE(n, name) "	mov %" #name ", kept+8192+8*" #n "(%rip)\n"
#define FILL(n) "	movq $" #n "*1111, -8*" #n "(%rsp)\n"
#define READ(n) "	mov -8*" #n "(%rsp), %rax\n	mov %rax, kept+8448-8+8*" #n "(%rip)\n"
#define FUNCTION(name, does) \
	__asm__(".text\n" #name ":\n" \
		"	push %rbx\n	push %rbp\n	push %r12\n	push %r13\n	push %r14\n" \
		"	push %r15\n" EACH_REGISTER(LOAD) EACH_PLACE(FILL) "	std\n	stc\n" does \
		"	cld\n	setc kept+8192+8*31(%rip)\n" \
		EACH_REGISTER(SAVE) EACH_PLACE(READ) \
		"	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n	pop %rbp\n" \
		"	pop %rbx\n	ret\n")
#elif defined(__aarch64__)
enum { FIRST = 0, SECOND = 1, RESULT = FIRST, NUMBER = 8, REGISTERS = 30 };
enum { FLAGS = 0x60000000, HAS_RED_ZONE = 0 };
#define CHANGE "mov x19, #0\n\tmov x20, #0\n\tmov x28, #0\n\tcmp x19, #1"
#define CHANGED_BY_IT "x1", "x2", "x8", "x9", "x16", "x17", "x19", "x20", "x27", "x28", "cc"
#define TRAPS "	.inst 0\n"
#define CALLS "	svc #0\n"
#define EACH_REGISTER(does) \
	does(0, x0) does(1, x1) does(2, x2) does(3, x3) does(4, x4) does(5, x5) does(6, x6) \
	does(7, x7) does(8, x8) does(9, x9) does(10, x10) does(11, x11) does(12, x12) \
	does(13, x13) does(14, x14) does(15, x15) does(16, x16) does(17, x19) does(18, x20) \
	does(19, x21) does(20, x22) does(21, x23) does(22, x24) does(23, x25) does(24, x26) \
	does(25, x27) does(26, x28) does(27, x29) does(28, x30)
#define LOAD(n, name) "	ldr " #name ", [x17, #8*" #n "]\n"
#define SAVE(n, name) "	str " #name ", [x17, #8*" #n "]\n"
#define FILL(n) "	mov x0, #" #n "*1111\n	str x0, [sp, #-8*" #n "]\n"
#define READ(n) "	ldr x0, [sp, #-8*" #n "]\n	str x0, [x17, #256-8+8*" #n "]\n"
#define FUNCTION(name, does) \
	__asm__(".text\n" #name ":\n" \
		"	sub sp, sp, #112\n	stp x19, x20, [sp]\n	stp x21, x22, [sp, #16]\n" \
		"	stp x23, x24, [sp, #32]\n	stp x25, x26, [sp, #48]\n" \
		"	stp x27, x28, [sp, #64]\n	stp x29, x30, [sp, #80]\n" EACH_PLACE(FILL) \
		"	mov x0, #0x60000000\n	msr nzcv, x0\n" \
		"	adrp x17, given\n	add x17, x17, :lo12:given\n" EACH_REGISTER(LOAD) \
		"	ldr x17, [x17, #8*29]\n" does "	str x17, [sp, #96]\n" \
		"	adrp x17, kept+8192\n	add x17, x17, :lo12:kept+8192\n" EACH_REGISTER(SAVE) \
		"	ldr x0, [sp, #96]\n	str x0, [x17, #8*29]\n" \
		"	mrs x0, nzcv\n	str x0, [x17, #8*31]\n" EACH_PLACE(READ) \
		"	ldp x19, x20, [sp]\n	ldp x21, x22, [sp, #16]\n" \
		"	ldp x23, x24, [sp, #32]\n	ldp x25, x26, [sp, #48]\n" \
		"	ldp x27, x28, [sp, #64]\n	ldp x29, x30, [sp, #80]\n" \
		"	add sp, sp, #112\n	ret\n")
#else
enum { FIRST = 0, SECOND = 1, RESULT = FIRST, NUMBER = 7, REGISTERS = 28 };
enum { FLAGS = 0x25, HAS_RED_ZONE = 0 };
#define CHANGE "li s1, 0\n\tli s2, 0\n\tli s11, 0\n\tfscsr zero"
#define CHANGED_BY_IT "a1", "a2", "a7", "t0", "t1", "t5", "t6", "s1", "s2", "s10", "s11"
#define TRAPS "	.4byte 0xc0001073\n"
#define CALLS "	ecall\n"
#define EACH_REGISTER(does) \
	does(0, a0) does(1, a1) does(2, a2) does(3, a3) does(4, a4) does(5, a5) does(6, a6) \
	does(7, a7) does(8, t0) does(9, t1) does(10, t2) does(11, t3) does(12, t4) does(13, t5) \
	does(14, ra) does(15, s0) does(16, s1) does(17, s2) does(18, s3) does(19, s4) \
	does(20, s5) does(21, s6) does(22, s7) does(23, s8) does(24, s9) does(25, s10) does(26, s11)
#define LOAD(n, name) "	ld " #name ", 8*" #n "(t6)\n"
#define SAVE(n, name) "	sd " #name ", 8*" #n "(t6)\n"
#define FILL(n) "	li t0, " #n "*1111\n	sd t0, -8*" #n "(sp)\n"
#define READ(n) "	ld t0, -8*" #n "(sp)\n	sd t0, 256-8+8*" #n "(t6)\n"
#define FUNCTION(name, does) \
	__asm__(".text\n" #name ":\n" \
		"	addi sp, sp, -112\n	sd ra, 0(sp)\n	sd s0, 8(sp)\n	sd s1, 16(sp)\n" \
		"	sd s2, 24(sp)\n	sd s3, 32(sp)\n	sd s4, 40(sp)\n	sd s5, 48(sp)\n" \
		"	sd s6, 56(sp)\n	sd s7, 64(sp)\n	sd s8, 72(sp)\n	sd s9, 80(sp)\n" \
		"	sd s10, 88(sp)\n	sd s11, 96(sp)\n" EACH_PLACE(FILL) \
		"	li t0, 0x25\n	fscsr t0\n	lla t6, given\n" EACH_REGISTER(LOAD) \
		"	ld t6, 8*27(t6)\n" does "	sd t6, 104(sp)\n	lla t6, kept+8192\n" \
		EACH_REGISTER(SAVE) "	ld t0, 104(sp)\n	sd t0, 8*27(t6)\n" \
		"	frcsr t0\n	sd t0, 8*31(t6)\n	fscsr zero\n" EACH_PLACE(READ) \
		"	ld ra, 0(sp)\n	ld s0, 8(sp)\n	ld s1, 16(sp)\n	ld s2, 24(sp)\n" \
		"	ld s3, 32(sp)\n	ld s4, 40(sp)\n	ld s5, 48(sp)\n	ld s6, 56(sp)\n" \
		"	ld s7, 64(sp)\n	ld s8, 72(sp)\n	ld s9, 80(sp)\n	ld s10, 88(sp)\n" \
		"	ld s11, 96(sp)\n	addi sp, sp, 112\n	ret\n")
#endif
/* clang-format on */

static inline void change_registers(void)
{
	__asm__ volatile(CHANGE : : : CHANGED_BY_IT);
}
