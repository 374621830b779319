/* The first byte of c.ebreak, which has two. --order is not offered here (ARCH_INTERCEPTS). */
#define BREAKPOINT 0x02
