/*
 * machine/accesses.h: instructions that access memory. ACCESSES(X) is X(kind, instruction) for
 * each, with `read` or `write`, and %0 for the register ACCESS_REGISTER, which has the address.
 */
#pragma once

#if defined(__x86_64__)
#define ACCESSES(X)                                                                                \
	X(read, "movb (%0), %%al")                                                                 \
	X(write, "movb %%al, (%0)")                                                                \
	X(read, "movups (%0), %%xmm0")                                                             \
	X(write, "movups %%xmm0, (%0)")                                                            \
	X(write, "movnti %%rax, (%0)")                                                             \
	X(read, "cmpl $0, (%0)")                                                                   \
	X(write, "addl $1, (%0)")                                                                  \
	X(write, "xchgl %%eax, (%0)")                                                              \
	X(write, "lock; cmpxchgl %%eax, (%0)")
#define ACCESS_REGISTER "rdi"
#define ACCESS_CHANGES	"rax", "xmm0", "cc", "memory"
#elif defined(__aarch64__)
#define ACCESSES(X)                                                                                \
	X(read, "ldrb w9, [%0]")                                                                   \
	X(write, "strb w9, [%0]")                                                                  \
	X(read, "ldp x9, x10, [%0]")                                                               \
	X(write, "stp x9, x10, [%0]")                                                              \
	X(read, "ldr q0, [%0]")                                                                    \
	X(write, "str q0, [%0]")                                                                   \
	X(read, "ldaxr w9, [%0]")                                                                  \
	X(write, "stlr w9, [%0]")                                                                  \
	X(write, "dc zva, %0")
#define ACCESS_REGISTER "x1"
#define ACCESS_CHANGES	"x9", "x10", "v0", "memory"
#else
#define ACCESSES(X)                                                                                \
	X(read, "lb a4, (%0)")                                                                     \
	X(write, "sb a4, (%0)")                                                                    \
	X(write, "sh a4, (%0)")                                                                    \
	X(read, "c.lw a4, (%0)")                                                                   \
	X(write, "c.sw a4, (%0)")                                                                  \
	X(read, "c.ld a4, (%0)")                                                                   \
	X(write, "c.sd a4, (%0)")                                                                  \
	X(write, ".option push\n.option norvc\nsd a4, (%0)\n.option pop")                          \
	X(read, "c.fld fa4, (%0)")                                                                 \
	X(write, "c.fsd fa4, (%0)")                                                                \
	X(read, "flw fa4, (%0)")                                                                   \
	X(write, "fsw fa4, (%0)")                                                                  \
	X(read, "lr.d a4, (%0)")                                                                   \
	X(write, "amoadd.w a4, a4, (%0)")                                                          \
	X(write, "amoswap.d a4, a4, (%0)")                                                         \
	X(write, "mv a4, sp\nmv sp, %0\nc.swsp a5, (sp)\nmv sp, a4")                               \
	X(write, "mv a4, sp\nmv sp, %0\nc.sdsp a5, (sp)\nmv sp, a4")                               \
	X(write, "mv a4, sp\nmv sp, %0\nc.fsdsp fa4, (sp)\nmv sp, a4")
#define ACCESS_REGISTER "a5"
#define ACCESS_CHANGES	"a4", "fa4", "memory"
#endif
