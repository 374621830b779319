#include "common/arch/thread_pointer.h"

/* The page after the one with the frame. */
#define FRAME_EMPTY_PAGE    1
#define FRAME_STARTS_INSIDE false
#define FRAME_NESTS_INSIDE  true

/* The frame starts at the stack pointer, with its siginfo. */
static inline const struct kernel_context *frame_returned(uint64_t stack)
{
	return &((const struct signal_frame *)stack)->context;
}

static inline bool frame_can_return(const struct kernel_sigaction *action)
{
	(void)action;
	return true;
}

/* The floating-point state is inside the frame. */
static inline uint64_t frame_outside(const struct kernel_context *context, uint64_t *bytes)
{
	(void)context;
	*bytes = 0;
	return 0;
}

static inline bool frame_has_info(const struct kernel_sigaction *action)
{
	(void)action;
	return true;
}

/* A context of a signal frame is followed by its floating-point state. */
static inline struct kernel_floating_point *frame_state(const struct kernel_context *context)
{
	return (struct kernel_floating_point *)(context + 1);
}

/*
 * A child has no vector registers yet, and rt_sigreturn refuses a frame that has some. The kernel
 * has set the child's tp (CLONE_SETTLS), and no resident code changes it.
 */
static inline void frame_begin_child(struct kernel_context *context)
{
	context->registers.tp = thread_pointer();
	frame_state(context)->first = (struct kernel_extension){0};
}

/* The address in the vDSO to which a handler returns, as gadget.S has found it in ra. */
extern uint64_t frame_return;
