/*
 * The guard: system calls of the program come to us first, by Syscall User Dispatch (Linux 5.11),
 * as SIGSYS. What they are given the addresses of is made present, and then the call is made: by
 * the gadget, outside the handler, so that it can be interrupted as usual.
 */
#ifndef LOADER_RESIDENT_GUARD_H
#define LOADER_RESIDENT_GUARD_H

#include "loader/resident/calls/system_calls.h"
#include "loader/resident/threads/thread.h"

#define PATH_BYTES 4096

struct guard {
	bool active;
	bool names_executable; /* /proc/self/exe is ours and the program asks for its own */
	bool stays;	/* behind the end of lazy paging, too: somebody wants to know how it ends */
	uint64_t limit; /* system calls after which lazy paging ends; GUARD_AUTO, GUARD_NEVER */
	char *executable; /* path of the program's file; PATH_BYTES, zeroed */
};

#define GUARD_AUTO  (UINT64_MAX - 1)
#define GUARD_NEVER UINT64_MAX

extern struct guard resident_guard;

/* A system call of the program, in the handler of SIGSYS. */
void guard_call(struct thread *thread, struct kernel_context *context);

/*
 * The handler's reply to a call: the program goes on in the gadget, which makes the call with the
 * arguments that are in the context by then, and comes back with those that were there.
 */
void gadget_enter(struct thread *thread, struct kernel_context *context);

/*
 * A signal has come in. If it found the thread in the gadget, the context becomes that of the
 * program's own instruction, before the call or after it. Returns the signals that are blocked,
 * the managed ones included.
 */
uint64_t gadget_unwind(struct thread *thread, struct kernel_context *context);

/* Makes present whatever a call is given the addresses of (arguments.c). */
void arguments_reveal(const struct system_call *call, const struct kernel_registers *registers);

/*
 * The end of lazy paging for one thread (retire.c): the kernel gets back the program's handlers,
 * masks and alternate stack, and its system calls are no longer intercepted.
 */
void retire_thread(struct thread *thread, struct kernel_context *context);

/* fork, vfork, clone, clone3: the result (processes.c). */
long processes_clone(struct thread *thread, struct kernel_context *context);

/* execve, execveat. */
long exec_make(struct thread *thread, struct kernel_context *context);

/* exit of one thread (retire.c). */
_Noreturn void retire_exiting(struct thread *thread, uint64_t status);

/* A handler for a signal that came in on the way into execve: see gadget.S. */
void exec_interrupted(struct kernel_context *context);

/*
 * Whether a program may ask for its own file: then it has one of its names, or the beginning of
 * one, somewhere in its constants.
 */
bool executable_is_wanted(int descriptor);

/* Whether an open is about this process in /proc, but neither its file nor a descriptor. */
bool executable_shows_us(const struct kernel_registers *registers);

/* A name of our file in /proc becomes that of the program's (executable.c). False: go on. */
bool executable_call(struct thread *thread, struct kernel_context *context);

#endif
