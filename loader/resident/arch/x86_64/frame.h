#define FRAME_EMPTY_PAGE    0
#define FRAME_STARTS_INSIDE true
#define FRAME_NESTS_INSIDE  true

/*
 * The handler's return has popped the restorer's address, so the context is at the stack pointer.
 */
static inline const struct kernel_context *frame_returned(uint64_t stack)
{
	return (const struct kernel_context *)stack;
}

static inline bool frame_can_return(const struct kernel_sigaction *action)
{
	return (action->flags & KERNEL_SA_RESTORER) != 0;
}

/* The kernel reads the XSAVE area at the address that the program's context gives. */
static inline uint64_t frame_outside(const struct kernel_context *context, uint64_t *bytes)
{
	*bytes = 4 * 4096;
	return context->registers.floating_point;
}

static inline bool frame_has_info(const struct kernel_sigaction *action)
{
	return (action->flags & KERNEL_SA_SIGINFO) != 0;
}

static inline void frame_begin_child(struct kernel_context *context)
{
	(void)context;
}
