/* INT3 (SDM volume 2, INT n). exc_int3 in arch/x86/kernel/traps.c of the kernel handles it. */
#define BREAKPOINT 0xcc
