/*
 * What resident code keeps for each of the program's threads: a block of memory with an alternate
 * signal stack in it, on which every handler of ours runs. A handler finds its thread by its own
 * stack pointer, because the program owns %fs and %gs.
 *
 * Lock order: pager.lock, process.lock, threads.lock. All are taken in handlers only, where no
 * handler of the program can come in, and never while memory of the program is touched.
 */
#ifndef LOADER_RESIDENT_THREAD_H
#define LOADER_RESIDENT_THREAD_H

#include "common/arch/x86_64/signal_frame.h"
#include "common/kernel_abi.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define SIGNAL_MAX 64

/*
 * The signals by which pages and system calls reach us. They are never really blocked, ignored or
 * given back to the program before laziness has ended; it sees what it asked for instead.
 */
#define MANAGED_COUNT 3
#define MANAGED_SIGNALS                                                                            \
	(KERNEL_SIGNAL_BIT(SIGSEGV) | KERNEL_SIGNAL_BIT(SIGBUS) | KERNEL_SIGNAL_BIT(SIGSYS))

static const uint8_t managed_signals[MANAGED_COUNT] = {SIGSEGV, SIGBUS, SIGSYS};

static inline bool is_managed(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGSYS;
}

/* A process in the sense of signal handlers: what threads with CLONE_SIGHAND share. */
struct process {
	uint32_t lock;
	uint32_t guarded_threads; /* those whose system calls still come to us */
	bool leaving;		  /* a first thread has left lazy paging */
	uint32_t gate;		  /* the others wait until it is 1; futexes, as is `room` */
	uint32_t room;		  /* behind the gate: where those are that certainly sleep */
	uint64_t wrapped;	  /* signals whose handler in the kernel is handler_of_signal */
	/* What the program asked for; valid for managed signals, and for those others whose
	   handler in the kernel is ours. Index: signal number. */
	struct kernel_sigaction actions[SIGNAL_MAX + 1];
};

struct thread {
	/* The registers that the gadget puts back (gadget.S knows the offsets): arguments, the
	   address to go on at, and rbx. */
	struct {
		uint64_t rdi, rsi, rdx, r10, r8, r9, rip, rbx, rflags;
		uint64_t result; /* of the call; rip and it also of one that was answered */
		uint64_t
		    in_call; /* IN_CALL from our return to the gadget until the call has been made,
				and in execve: a signal that is pending then would kill the new
				program. LET_GO if another thread has ended lazy paging meanwhile */
	} saved;
	uint64_t call;	  /* number of the system call that the gadget makes */
	uint8_t selector; /* of Syscall User Dispatch: 1 intercept, 0 let through */
	bool news; /* a signal came into a handler of ours, which is to look before it ends */
	bool used; /* the block belongs to a thread, perhaps one that has just exited */
	bool exiting;
	bool guarded; /* system calls come to us */
	bool reset;   /* begins with handlers that the kernel has reset */
	/* It is to leave lazy paging, perhaps asked by another thread, some time ago. */
	bool requested;
	bool waits; /* has left, and makes no call but the one in which it waits for the others */
	int32_t id; /* of the thread, for the kernel */
	struct process *process;
	struct kernel_stack stack; /* the alternate signal stack that the program asked for */
	uint64_t blocked;	   /* of the managed signals, those that the program blocked */
	/* Managed signals that were sent while a handler of ours ran, which looks after them. */
	uint64_t deferred; /* a signal set */
	uint8_t deferred_info[MANAGED_COUNT][128];
	/* The mask that a call such as sigsuspend has put in force until it returns. */
	bool has_temporary_mask;
	uint64_t temporary_mask;
	uint64_t kernel_mask;	      /* the same without managed signals, for the kernel to read */
	uint64_t kernel_mask_pair[2]; /* pselect6's form of it */
	/* The last fault on a page that was there: when it comes again, it is the program's. */
	uint64_t retried_address, retried_instruction;
	/* What contexts of signals show of the last exception that was the program's. */
	uint64_t error_code, trap_number, fault_address;
	uint64_t traced_call; /* its last one, and whether its result is still to be told */
	bool traced;
	uint64_t call_pages; /* revealed for the system call that it is about to make */
};

/*
 * Host code reserves the first blocks: each `block_bytes` long and aligned, a power of two. More
 * come from mmap when threads are started.
 */
#define THREAD_CHUNKS_MAX 24

struct threads {
	uint32_t lock;
	uint64_t block_bytes;
	unsigned chunk_count;
	struct {
		uint64_t start, end;
	} chunks[THREAD_CHUNKS_MAX];
};

extern struct threads resident_threads;
extern struct process resident_process; /* the first one */

/* The thread in whose block the caller's stack is, or NULL: a thread that is not ours any more. */
struct thread *thread_here(void);

/*
 * The thread in whose block an address is; it must be in one. The struct lies at the block's end,
 * the stack grows down below it. Here, because host code asks before resident code can run.
 */
static inline struct thread *thread_of_address(uint64_t address)
{
	uint64_t bytes = resident_threads.block_bytes, block = address & ~(bytes - 1);

	return (struct thread *)((block + bytes - sizeof(struct thread)) & ~UINT64_C(63));
}

/* The guarded thread with this ID, or NULL. */
struct thread *thread_by_id(int32_t id);

/* Calls visit() with every thread whose block is in use. */
void threads_visit(void (*visit)(struct thread *thread, void *context), void *context);

/* In the child of a fork: no block but this thread's is in use. Under threads.lock. */
void threads_keep(struct thread *thread);

/* A block for a new thread, zeroed; NULL if there is no memory. */
struct thread *thread_new(void);

/* Gives back a block that no thread runs on. */
void thread_free(struct thread *thread);

/*
 * The alternate signal stack of a block, as the kernel wants it. With SS_AUTODISARM, so that a
 * handler may set another one on its return: rt_sigreturn refuses to change the stack that the
 * stack pointer is on (since Linux 6.13 it looks at the handler's own).
 */
struct kernel_stack thread_stack(const struct thread *thread);

/* Starts to intercept this thread's system calls. 0 or -errno. */
long thread_guard(struct thread *thread);

#endif
