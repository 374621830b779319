/*
 * Signals, so that the program notices nothing of ours. The kernel calls our handlers, on our
 * stacks; they build the frame that the kernel would have built on the program's stack and let the
 * program's handler begin there. That way a stack may be hidden, the program may use or examine
 * its own alternate stack, and a signal that finds a thread inside the gadget shows it where the
 * program's own `syscall` instruction is.
 *
 * Everything here is called in handlers, with all signals blocked but the managed ones.
 */
#ifndef LOADER_RESIDENT_SIGNALS_H
#define LOADER_RESIDENT_SIGNALS_H

#include "common/arch/x86_64/syscall.h"
#include "loader/resident/threads/thread.h"

/*
 * What is blocked while handlers of ours run: all but the signals of faults, for they may touch
 * hidden pages of the program with gadget_copy(). A handler of such a fault blocks everything, or
 * a storm of sent ones could fill the stack; where it goes on to copy, it unblocks them itself.
 */
#define FAULT_SIGNALS (KERNEL_SIGNAL_BIT(SIGSEGV) | KERNEL_SIGNAL_BIT(SIGBUS))
#define OUR_MASK      (~FAULT_SIGNALS)

/* The handler of signals that the program handles, but for the managed ones. */
void handler_of_signal(int number, void *info, void *context);

/*
 * Two handlers that may go on in one of the program's, on the same stack (gadget.S): of the managed
 * signals, and of others while some threads have left lazy paging and some have not. Each asks a
 * function for the handler to go on in, or NULL to return.
 */
void gadget_on_managed(int number, void *info, void *context);
void gadget_forward(int number, void *info, void *context);
void *handler_of_managed(int number, const siginfo_t *info, struct kernel_context *context);
void *retire_forward(int number, const siginfo_t *info, struct kernel_context *context);

/*
 * The program's handler, for a thread that runs as if natively: what the kernel has pushed for ours
 * becomes what it would have pushed for the program's.
 */
void *retire_forward_in_place(struct process *process, int number, struct kernel_context *context);

/* What the program wants done about a signal; a handler for one occasion is used up by it. */
struct kernel_sigaction handlers_claim_action(struct process *process, int number);

/* rt_sigaction itself: what the kernel has. 0 or -errno. */
static inline long kernel_action(int number, const struct kernel_sigaction *new,
				 struct kernel_sigaction *old)
{
	return raw_syscall6(SYS_rt_sigaction, (uint64_t)number, (uint64_t) new, (uint64_t)old,
			    KERNEL_SIGSET_SIZE, 0, 0);
}

/* rt_sigprocmask itself, for the handler that calls it: SIG_BLOCK, SIG_UNBLOCK or SIG_SETMASK. */
static inline void kernel_mask(int how, uint64_t set)
{
	raw_syscall6(SYS_rt_sigprocmask, (uint64_t)how, (uint64_t)&set, 0, KERNEL_SIGSET_SIZE, 0,
		     0);
}

/* A signal that we got and that is to come once more. */
void handlers_send_again(int number, const siginfo_t *info);

/* Whether a signal asks a thread to leave lazy paging (retire.c). */
bool retire_is_request(const struct thread *thread, const siginfo_t *info);

/* Installs our handlers for the managed signals; what was there goes to process->actions. */
bool signal_calls_arm(struct process *process, bool system_calls);

/* The same in a child whose handlers the kernel has reset (CLONE_CLEAR_SIGHAND). */
void signal_calls_rearm(struct process *process);

struct arrival {
	int number;
	bool forced; /* an exception: cannot be ignored or wait */
	const void *info;
};

/*
 * At the end of each handler of ours: takes care of a managed signal that came in while it ran, and
 * leaves lazy paging if another thread has begun to.
 */
void handlers_flush(struct thread *thread, struct kernel_context *context);

/* rt_sigaction, rt_sigprocmask, rt_sigpending, sigaltstack: the result. */
long signal_call(struct thread *thread, struct kernel_context *context);

/* rt_sigreturn. */
void handlers_return(struct thread *thread, struct kernel_context *context);

/*
 * Lets the program's handler begin: pushes a frame, changes the context. `mask` is what the handler
 * finds in force, beside what it asked for. False if there is no room for a frame.
 */
bool frame_push(struct thread *thread, struct kernel_context *context,
		const struct arrival *arrival, const struct kernel_sigaction *action,
		uint64_t mask);

/* Reads the program's context of a signal frame back. False if it cannot be read. */
bool frame_pop(struct thread *thread, struct kernel_context *context);

/* Length of an XSAVE area, or of the shorter form. */
uint64_t frame_floating_point_length(uint64_t area);

/* sigaltstack(2): 0 or -errno. rsp is the program's stack pointer. */
long frame_set_stack(struct thread *thread, const struct kernel_stack *stack, uint64_t rsp);

/* SS_ONSTACK, SS_DISABLE or 0 for a stack pointer. */
int frame_stack_state(const struct thread *thread, uint64_t rsp);

/* Whether a signal found this context in resident code other than the gadget. */
bool handlers_is_ours(uint64_t instruction);

#endif
