/*
 * What resident code keeps for each of the program's threads: a block of memory with an alternate
 * signal stack in it, on which every handler of ours runs. A handler finds its thread by its own
 * stack pointer, because the thread pointer is the program's.
 *
 * Lock order: pager.lock, process.lock, threads.lock. All are taken in handlers only, where no
 * handler of the program can begin, and never while memory of the program is touched.
 */
#ifndef LOADER_RESIDENT_THREAD_H
#define LOADER_RESIDENT_THREAD_H

#include "loader/resident/arch/signal_frame.h"
#include "common/kernel_abi.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define SIGNAL_MAX 64

/*
 * The signals by which pages, system calls and, for --order, first calls of functions reach us.
 * They are never really blocked, ignored or given back to the program before laziness has ended;
 * it sees what it asked for instead. SIGTRAP, the last one, is managed for --order alone.
 */
#define MANAGED_COUNT 4
#define MANAGED_PAGES                                                                              \
	(KERNEL_SIGNAL_BIT(SIGSEGV) | KERNEL_SIGNAL_BIT(SIGBUS) | KERNEL_SIGNAL_BIT(SIGSYS))
#define MANAGED_SIGNALS (resident_threads.managed)

/* Those that the processor's exceptions raise, when si_code is above 0. */
#define EXCEPTION_SIGNALS                                                                          \
	(KERNEL_SIGNAL_BIT(SIGSEGV) | KERNEL_SIGNAL_BIT(SIGBUS) | KERNEL_SIGNAL_BIT(SIGILL) |      \
	 KERNEL_SIGNAL_BIT(SIGFPE) | KERNEL_SIGNAL_BIT(SIGTRAP))

static const uint8_t managed_signals[MANAGED_COUNT] = {SIGSEGV, SIGBUS, SIGSYS, SIGTRAP};

/*
 * The state of a thread is one word, `thread->state`, which states.c writes. The steps between the
 * states are in states.def. `selector` is that of Syscall User Dispatch: 1 while the
 * thread's system calls come to us.
 *
 * state   | what the thread does          | selector | blocked in the kernel    | alternate stack
 * --------|-------------------------------|----------|--------------------------|----------------
 * FREE    | nothing: the block is nobody's| -        | -                        | -
 * BORN    | runs our code on its block, on| 0        | all but FAULT_SIGNALS    | ours
 *         | its way to the program        |          |                          |
 * LAZY    | runs the program, our handlers| 1        | the program's mask       | ours
 *         | or a system call in the gadget|          | without managed signals  |
 * EXECS   | makes execve for the program  | 1        | the program's mask, whole| ours
 * LEAVING | waits for the other threads   | 0, no    | all                      | ours, disarmed
 *         |                               | dispatch |                          |
 * NATIVE  | returns to the program, which | 0        | the program's mask, whole| the program's
 *         | it runs without us from now on|          |                          |
 * GONE    | exits, or has done so         | 1        | all                      | ours, disarmed
 *
 * The state of a process is one word, too: LAZY until a first thread leaves; LEAVING while threads
 * are BORN, LAZY or in EXECS; then NATIVE. The kernel has our handlers until then, and the
 * program's from then on. A thread in LEAVING runs nothing of the program before the process is
 * NATIVE, so none ever runs natively beside one that is LAZY.
 *
 * When a process is LEAVING, whoever is BORN or LAZY leaves at the end of the handler that it is in
 * (handlers_end() looks). Each thread that was LAZY has been sent a signal, REQUEST of leave.c,
 * which brings it into a handler if it is in none.
 *
 * What may come between two steps:
 * - fork: the child has one thread, LAZY; if its copy of the process is LEAVING, this thread leaves
 * at the end of its handler, as the last one.
 * - exit: a thread in LAZY leaves and exits; nobody waits for it any more.
 * - execve: a thread in EXECS is sent no signal, which would kill the new program; others wait for
 *   it, or end with it.
 * - a filter of system calls for all threads: threads return in the order of enum leaving_turn, so
 *   that the last ones may set it.
 * - death of one thread: state_bury_dead() finds who is no more.
 */
enum thread_state {
#define STATE(name) THREAD_##name,
#include "loader/resident/threads/states.def"
};

/*
 * The order in which the threads of a process return to the program. A thread waits for those of
 * lower turns; of two that set a filter the one with the higher block waits.
 */
enum leaving_turn {
	TURN_SLEEPS,  /* is about to wait on a futex until another thread wakes it */
	TURN_GOES_ON, /* any other */
	TURN_BEGAN,   /* the same, and it has ended lazy paging */
	TURN_MAIN,    /* the same, but it is the first thread of its group */
	TURN_FILTERS, /* is about to set a filter of system calls for all threads */
};

enum process_state { PROCESS_LAZY, PROCESS_LEAVING, PROCESS_NATIVE };

/* A process in the sense of signal handlers: what threads with CLONE_SIGHAND share. */
struct process {
	uint32_t lock;
	uint32_t state;	  /* enum process_state; a futex */
	bool asked;	  /* to leave: all threads that were LAZY then */
	uint64_t wrapped; /* signals whose handler in the kernel is ours; all managed ones */
	/* What the program asked for of these. Index: signal number. */
	struct kernel_sigaction actions[SIGNAL_MAX + 1];
};

struct thread {
	/* The program's registers before the call that the gadget makes, which puts them back; or
	   after one that we have answered. */
	struct kernel_registers saved;
	uint64_t result;  /* of the call */
	uint8_t selector; /* of Syscall User Dispatch: 1 intercept, 0 let through */
	bool news;	/* a signal has interrupted a handler of ours, which looks before it ends */
	bool reset;	/* begins with handlers that the kernel has reset */
	bool awaited;	/* others wait for its last return: see thread_has_returned() */
	bool named;	/* its parent has written the ID, and will not look at the block again */
	uint8_t turn;	/* enum leaving_turn; only the thread writes it */
	uint32_t state; /* enum thread_state; only states.c writes it */
	int32_t id;	/* of the thread, for the kernel; 0 while that is not known */
	int32_t group;	/* its thread group: most often the program's process ID */
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
	/* The last fault on a page that was there: if the same fault is raised again, the program
	 * caused it. */
	uint64_t retried_address, retried_instruction;
	/* What contexts of signals show of the last exception that was the program's. */
	struct kernel_exception exception;
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
	bool stack_first; /* rt_sigreturn takes a frame's alternate stack ahead of its registers */
	uint64_t managed; /* a signal set: MANAGED_PAGES, and SIGTRAP for --order */
	uint64_t block_bytes;
	unsigned chunk_count;
	struct {
		uint64_t start, end;
	} chunks[THREAD_CHUNKS_MAX];
};

extern struct threads resident_threads;
extern struct process resident_process; /* the first one */

/* `number` may be any: it is what the program gave a system call. */
static inline bool is_managed(int number)
{
	return number > 0 && number <= SIGNAL_MAX &&
	       (MANAGED_SIGNALS & KERNEL_SIGNAL_BIT(number)) != 0;
}

/* How many of managed_signals are managed. */
static inline unsigned managed_count(void)
{
	return is_managed(SIGTRAP) ? MANAGED_COUNT : MANAGED_COUNT - 1;
}

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

/* The thread of a block, FREE or not; blocks are counted from 0. NULL: there are not as many. */
struct thread *threads_at(uint64_t block);

/*
 * The alternate signal stack of a block, as the kernel wants it. With SS_AUTODISARM, so that a
 * handler may set another one on its return: rt_sigreturn refuses to change the stack that the
 * stack pointer is on (since Linux 6.12 it looks at the handler's own).
 */
struct kernel_stack thread_stack(const struct thread *thread);

/* For how long, at most, whoever waits for a thread does so before it asks whether it is gone. */
#define THREAD_WAIT_NS (10 * 1000 * 1000)

/*
 * Whether a thread has ended, even if nobody has waited for it yet, or runs another program. What
 * the kernel does not tell is taken for no.
 */
bool thread_is_gone(int32_t id);

/*
 * How a thread learns that another one has made its last rt_sigreturn. The kernel applies filters
 * at the entry to that call, and then reads the context. The context's first words, which are zero,
 * are alone on a page without memory, the lowest one of the block. The kernel's read maps the page
 * of zeros there, and mincore tells.
 *
 * thread_empty_page() takes the memory away. thread_last_context() makes the copy of the context
 * that the thread returns with. Between the two nothing touches the page.
 */
void thread_empty_page(const struct thread *thread);
struct kernel_context *thread_last_context(const struct thread *thread,
					   const struct kernel_context *context);

/* Whether a thread that is NATIVE has made that call. True as well where the kernel does not tell.
 */
bool thread_has_returned(const struct thread *thread);

/* Starts or ends the interception of the caller's system calls. 0 or -errno. */
long thread_intercept(struct thread *thread, bool on);

#endif
