#include <stddef.h>

/* The gadget also needs the frame that leads into it: its end is a return from that frame. */
static inline void gadget_give_thread(struct kernel_registers *registers, struct thread *thread)
{
	registers->s0 = (uint64_t)thread;
	registers->s1 = (uint64_t)registers - offsetof(struct signal_frame, context.registers);
}
