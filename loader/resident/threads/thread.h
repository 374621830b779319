/*
 * The data of resident code for each thread of the program. It is in a block of memory, together
 * with the alternate signal stack on which the loader's handlers run. A handler finds its thread by
 * its own stack pointer, because the thread pointer belongs to the program.
 *
 * Lock order: pager.lock, process.lock, threads.lock. All are taken only in handlers, where no
 * handler of the program can start, and never while memory of the program is touched.
 */
#pragma once

#include "common/arch/machine.h"
#include "loader/resident/arch/signal_frame.h"
#include "loader/resident/base/trace.h"
#include "common/kernel_abi.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define SIGNAL_MAX 64

/*
 * The managed signals: the loader receives page touches, system calls and, for --order, first calls
 * of functions by them. Until lazy paging ends they are never really blocked or ignored, and the
 * kernel never has the program's own handlers for them. System calls about them show the program
 * what it set. SIGTRAP, the last one, is managed only for --order. SIGILL takes the place of SIGSYS
 * where calls are rewritten.
 */
#define MANAGED_COUNT 4
#define MANAGED_PAGES                                                                              \
	(KERNEL_SIGNAL_BIT(SIGSEGV) | KERNEL_SIGNAL_BIT(SIGBUS) | KERNEL_SIGNAL_BIT(SIGSYS))
#define MANAGED_REWRITING                                                                          \
	(KERNEL_SIGNAL_BIT(SIGSEGV) | KERNEL_SIGNAL_BIT(SIGBUS) | KERNEL_SIGNAL_BIT(SIGILL))
#define MANAGED_SIGNALS (resident_threads.managed)

/* The signals that the processor's exceptions raise, if si_code is above 0. */
#define EXCEPTION_SIGNALS                                                                          \
	(KERNEL_SIGNAL_BIT(SIGSEGV) | KERNEL_SIGNAL_BIT(SIGBUS) | KERNEL_SIGNAL_BIT(SIGILL) |      \
	 KERNEL_SIGNAL_BIT(SIGFPE) | KERNEL_SIGNAL_BIT(SIGTRAP))

/*
 * The state of a thread is one word, `thread->state`, which states.c writes. The steps between the
 * states are in states.def. `selector` is that of Syscall User Dispatch: 1 while the thread's
 * system calls are intercepted.
 *
 * state   | what the thread does          | selector | blocked in the kernel    | alternate stack
 * --------|-------------------------------|----------|--------------------------|----------------
 * FREE    | the block has no thread       | -        | -                        | -
 * BORN    | runs resident code on its     | 0        | all but FAULT_SIGNALS    | its block
 *         | block, then starts the program|          |                          |
 *         | (or has none: see below)      |          |                          |
 * LAZY    | runs the program, a handler of| 1        | the program's mask       | its block
 *         | the loader, or the gadget     |          | without managed signals  |
 * EXECS   | makes execve for the program, | 1        | the program's whole mask | its block
 *         | alone in its process; or where|          |                          |
 *         | /proc/self/exe could not be   |          |                          |
 *         | changed                       |          |                          |
 * LEAVING | waits for the other threads;  | 0, no    | all                      | its block,
 *         | or is about to exit           | dispatch |                          | disarmed
 *         |                               | (exit:   |                          |
 *         |                               | 1, on)   |                          |
 * NATIVE  | returns to the program, and   | 0        | the program's whole mask | the program's
 *         | runs only the program then    |          |                          |
 * GONE    | exits, or has exited          | 1        | all                      | its block,
 *         |                               |          |                          | disarmed
 *
 * A block without a thread is BORN, too, where it stores a struct process (copy_process() in
 * processes.c). Its `process` is NULL, so no thread waits for it. It becomes FREE with the vfork
 * child that has the process. A GONE block becomes BORN for another thread only if its parent has
 * stored its ID (`named`) and the kernel knows no such thread (is_free() in blocks.c).
 *
 * The thread that ended lazy paging is LEAVING like the others until the process is NATIVE.
 *
 * The state of a process is one word, too: LAZY until a first thread leaves, LEAVING while some
 * thread is BORN, LAZY or in EXECS, then NATIVE. The kernel has the loader's handlers until the
 * process is NATIVE, and the program's from then on. A thread in LEAVING runs nothing of the
 * program before the process is NATIVE. So no thread runs the program without the loader while
 * another thread is LAZY.
 *
 * In a LEAVING process, a thread that is BORN or LAZY leaves at the end of the handler that it runs
 * (handlers_end() checks). Each thread that was LAZY has been sent a signal, REQUEST of leave.c,
 * which starts a handler if the thread runs none.
 *
 * What may come between two steps:
 * - fork: the child has one thread, LAZY. If the child's copy of the process is LEAVING, the thread
 *   leaves at the end of its handler, as the last one.
 * - exit: a LAZY thread leaves and exits; no thread waits for it any more.
 * - execve: no signal is sent to a thread in EXECS, because it would kill the new program. Other
 *   threads wait for it, or end with it.
 * - a filter of system calls for all threads: threads return in the order of enum leaving_turn, so
 *   that the last ones may install it.
 * - death of one thread: state_bury_dead() finds threads that have died.
 */
enum thread_state {
#define STATE(name) THREAD_##name,
#include "loader/resident/threads/states.def"
};

/*
 * The order in which the threads of a process return to the program. A thread waits for those with
 * lower turns. Of two threads that install a filter, the one in the block at the higher address
 * waits.
 */
enum leaving_turn {
	TURN_SLEEPS,  /* is about to wait on a futex until another thread wakes it */
	TURN_GOES_ON, /* any other thread */
	TURN_BEGAN,   /* as TURN_GOES_ON, and has ended lazy paging */
	TURN_MAIN,    /* as TURN_GOES_ON, and is the first thread of its group */
	TURN_FILTERS, /* is about to install a filter of system calls for all threads */
};

enum process_state { PROCESS_LAZY, PROCESS_LEAVING, PROCESS_NATIVE };

/* A process as signal handlers define it: the state that threads with CLONE_SIGHAND share. */
struct process {
	uint32_t lock;	  /* taken by threads of the process, and by fork: see lock.h */
	uint32_t state;	  /* enum process_state; a futex. Written by states.c under `lock`; by a
			     tracer without it */
	bool asked;	  /* all threads that were LAZY have been asked to leave; written by
			     states.c under `lock` */
	uint64_t wrapped; /* signals for which the kernel has the loader's handler; written under
			     `lock` */
	/*
	 * The program's actions, by signal number. Written by signal_calls.c and actions.c under
	 * `lock`.
	 */
	struct kernel_sigaction actions[SIGNAL_MAX + 1];
};

/*
 * A thread of the program. Only the thread itself writes the fields, in its handlers and without a
 * lock, unless the field's comment says otherwise. Its parent fills in `process`, `reset`,
 * `blocked`, `exception` and `stack` before the thread starts (new_thread() in processes.c).
 */
struct thread {
	/*
	 * The program's registers before the call that the gadget makes; the gadget restores them.
	 * After a call that the loader has answered: the registers after it. Written by the thread.
	 */
	struct kernel_registers saved;
	uint64_t result;  /* of the call; written by the thread, also in gadget.S */
	uint8_t selector; /* of Syscall User Dispatch: 1 intercept, 0 let through; the kernel
			     reads it */
	bool news;	  /* a signal has interrupted a handler, which checks at its end; set by
			     that signal's handler */
	bool reset;	  /* start with handlers that the kernel has reset; written by the parent */
	bool awaited;	  /* others wait for its last return: see thread_has_returned(); written
			     before NATIVE */
	bool named;	  /* the parent has written `id`, and does not use the block again; written
			     by the parent */
	uint8_t turn;	  /* enum leaving_turn; written atomically */
	uint32_t state;	  /* enum thread_state; written by states.c only, most steps by the thread
			     itself */
	int32_t id;	  /* its thread ID in the kernel, 0 until known; the parent and the thread
			     write the same */
	int32_t group;	  /* its thread group: usually the program's process ID */
	struct process *process;
	struct kernel_stack stack; /* the alternate signal stack that the program has set */
	uint64_t blocked;	   /* the managed signals that the program has blocked */
	/*
	 * Managed signals that were sent while a handler ran; delivered before that handler ends.
	 * Written by the thread's handlers with FAULT_SIGNALS blocked.
	 */
	uint64_t deferred; /* a signal set; deferred_info holds the siginfo of each */
	uint8_t deferred_info[MANAGED_COUNT][128];
	/* The mask that a call such as sigsuspend sets until it returns. */
	bool has_temporary_mask;
	uint64_t temporary_mask;
	uint64_t kernel_mask;	      /* temporary_mask without managed signals, for the kernel
					 to read */
	uint64_t kernel_mask_pair[2]; /* the form of it that pselect6 takes: address and length */
	/*
	 * The last fault on a page that was revealed already. If the same fault is raised again,
	 * the program caused it. Written under pager.lock.
	 */
	uint64_t retried_address, retried_instruction;
	/* The program's last exception, as its signal contexts show it. */
	struct kernel_exception exception;
	struct traced_call traced;
	uint64_t call_pages; /* pages revealed for the system call that it is about to make */
};

/*
 * Host code reserves the first chunk of blocks. Each block is `block_bytes` long, a power of two,
 * and aligned to that. Starting more threads maps more chunks with mmap.
 */
#define THREAD_CHUNKS_MAX 24

struct threads {
	uint32_t lock;	      /* for `chunks`, `chunk_count`, and a block's step to BORN */
	bool stack_first;     /* rt_sigreturn sets the frame's alternate stack before its registers;
				 written before the jump */
	uint64_t managed;     /* a signal set: MANAGED_PAGES or MANAGED_REWRITING, and SIGTRAP for
				 --order; written before the jump */
	uint64_t block_bytes; /* written before the jump */
	unsigned chunk_count; /* stored with release when the new chunk is complete */
	struct {
		uint64_t start, end; /* addresses; end is exclusive */
	} chunks[THREAD_CHUNKS_MAX];
};

extern struct threads resident_threads;
extern struct process resident_process; /* of the first process; a child of vfork has a copy */

/*
 * Whether a signal is managed. `number` may be any value that the program passes to a system call.
 */
static inline bool is_managed(int number)
{
	return number > 0 && number <= SIGNAL_MAX &&
	       (MANAGED_SIGNALS & KERNEL_SIGNAL_BIT(number)) != 0;
}

/* The signal that an intercepted system call raises. A constant where nothing is rewritten. */
#define CALL_SIGNAL (ARCH_REWRITES && is_managed(SIGILL) ? SIGILL : SIGSYS)

static const uint8_t managed_signals[MANAGED_COUNT] = {SIGSEGV, SIGBUS, SIGSYS, SIGTRAP};

/* A managed signal, counted from 0. */
static inline int managed_signal(unsigned index)
{
	return ARCH_REWRITES && managed_signals[index] == SIGSYS ? CALL_SIGNAL
								 : managed_signals[index];
}

/* How many signals are managed. */
static inline unsigned managed_count(void)
{
	return is_managed(SIGTRAP) ? MANAGED_COUNT : MANAGED_COUNT - 1;
}

/* The thread whose block contains the caller's stack. NULL for a thread that has left. */
struct thread *thread_here(void);

/*
 * The thread whose block contains an address; the address must be in a block. The struct lies at
 * the end of the block, and the stack grows down below it. Inline, because host code calls this
 * before resident code can run.
 */
static inline struct thread *thread_of_address(uint64_t address)
{
	uint64_t bytes = resident_threads.block_bytes, block = address & ~(bytes - 1);

	return (struct thread *)((block + bytes - sizeof(struct thread)) & ~UINT64_C(63));
}

/* The thread of a block, FREE or not; blocks are counted from 0. NULL if there are fewer blocks. */
struct thread *threads_at(uint64_t block);

/*
 * The alternate signal stack of a block, in the kernel's form. It has SS_AUTODISARM, so that a
 * handler's return may set another one: rt_sigreturn refuses to change the stack that the stack
 * pointer is on. (Since Linux 6.12 it checks the handler's own stack pointer.)
 */
struct kernel_stack thread_stack(const struct thread *thread);

/*
 * The longest sleep while waiting for a thread; after it the waiter checks whether the thread is
 * gone.
 */
#define THREAD_WAIT_NS (10 * 1000 * 1000)

/*
 * Whether a thread has ended, even if it has not been reaped, or runs another program. Returns
 * false if the kernel does not show it.
 */
bool thread_is_gone(int32_t id);

/*
 * How a thread finds out that another one has made its last rt_sigreturn. The kernel applies
 * filters at the entry to that call, and reads the context afterwards. A word of the context that
 * is zero is alone on a page of the block, which has no memory (frame_last() in frame.h). The
 * kernel's read maps the page of zeros there, and mincore shows it.
 *
 * thread_empty_page() removes the memory. thread_last_context() makes the copy of the context that
 * the thread returns with. Between the two the page must not be touched.
 */
void thread_empty_page(const struct thread *thread);
struct kernel_context *thread_last_context(const struct thread *thread,
					   const struct kernel_context *context);

/*
 * Whether a thread that is NATIVE has made that rt_sigreturn. Returns true if the kernel does not
 * show it.
 */
bool thread_has_returned(const struct thread *thread);

/* Starts or ends the interception of the caller's system calls. Returns 0 or -errno. */
long thread_intercept(struct thread *thread, bool on);
