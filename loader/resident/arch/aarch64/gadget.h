#include <stddef.h>

#define GADGET_THREAD 19
#define GADGET_FRAME  20

/* The second register has the frame by whose return the thread enters the gadget. */
static inline void gadget_give_thread(struct kernel_registers *registers, struct thread *thread)
{
	registers->x[GADGET_THREAD] = (uint64_t)thread;
	registers->x[GADGET_FRAME] =
	    (uint64_t)registers - offsetof(struct signal_frame, context.registers);
}
