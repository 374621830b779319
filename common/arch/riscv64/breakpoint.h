/* C.EBREAK. do_trap_break in arch/riscv/kernel/traps.c of the kernel handles it. */
#define BREAKPOINT	  0x9002
#define BREAKPOINT_WORD	  uint16_t
#define BREAKPOINT_BEHIND 0
#define BREAKPOINT_CODE	  TRAP_BRKPT

/* The caches of instructions and of data are separate. */
static inline void breakpoint_changed(const void *place)
{
	(void)place;
	__asm__ volatile("fence.i" : : : "memory");
}
