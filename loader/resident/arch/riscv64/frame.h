/* The frame starts at the stack pointer, with its siginfo. */
static inline const struct kernel_context *frame_returned(const struct kernel_registers *registers)
{
	return &((const struct signal_frame *)registers->sp)->context;
}

static inline bool frame_can_return(const struct kernel_sigaction *action)
{
	(void)action;
	return true;
}

/* The state of the vector registers follows the frame, and rt_sigreturn reads it by a pointer. */
static inline uint64_t frame_outside(const struct kernel_context *context, uint64_t *bytes)
{
	*bytes = 2 * 4096;
	return (uint64_t)(context + 1) + sizeof(struct kernel_floating_point);
}

/* The address in the vDSO to which a handler returns, as gadget.S has found it in ra. */
extern uint64_t frame_return;
