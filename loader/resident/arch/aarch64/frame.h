#define FRAME_EMPTY_PAGE    0
#define FRAME_STARTS_INSIDE false
#define FRAME_NESTS_INSIDE  false

/* The handler's return leaves the stack pointer at the frame. */
static inline const struct kernel_context *frame_returned(uint64_t stack)
{
	return &((const struct signal_frame *)stack)->context;
}

/* Without a restorer a handler returns to code of the vDSO. */
static inline bool frame_can_return(const struct kernel_sigaction *action)
{
	(void)action;
	return true;
}

/* frame_take_state() copies the records into the loader's frame. */
static inline uint64_t frame_outside(const struct kernel_context *context, uint64_t *bytes)
{
	(void)context;
	*bytes = 0;
	return 0;
}

static inline bool frame_has_info(const struct kernel_sigaction *action)
{
	return (action->flags & KERNEL_SA_SIGINFO) != 0;
}

static inline void frame_begin_child(struct kernel_context *context)
{
	(void)context;
}

/* Where handlers return to, unless their action has a restorer of its own. */
extern uint64_t resident_launch_return;
