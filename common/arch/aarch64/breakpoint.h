/* BRK #0 (Arm ARM, C6.2). brk_handler in arch/arm64/kernel/debug-monitors.c of the kernel handles
 * it. */
#define BREAKPOINT	  UINT32_C(0xd4200000)
#define BREAKPOINT_WORD	  uint32_t
#define BREAKPOINT_BEHIND 0
#define BREAKPOINT_CODE	  TRAP_BRKPT

/* The caches of instructions and of data are separate. */
static inline void breakpoint_changed(const void *place)
{
	__asm__ volatile("dc	cvau, %0\n\t"
			 "dsb	ish\n\t"
			 "ic	ivau, %0\n\t"
			 "dsb	ish\n\t"
			 "isb"
			 :
			 : "r"(place)
			 : "memory");
}
