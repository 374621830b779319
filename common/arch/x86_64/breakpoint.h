/* INT3 (SDM volume 2, INT n). exc_int3 in arch/x86/kernel/traps.c of the kernel handles it. */
#define BREAKPOINT	  0xcc
#define BREAKPOINT_WORD	  uint8_t
#define BREAKPOINT_BEHIND 1
#define BREAKPOINT_CODE	  SI_KERNEL

/* The processor sees the change by itself. */
static inline void breakpoint_changed(const void *place)
{
	(void)place;
}
