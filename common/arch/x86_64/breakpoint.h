/* INT3 (SDM volume 2, INT n). exc_int3 in the kernel's arch/x86/kernel/traps.c. */
#define BREAKPOINT 0xcc
