/* Two jumps that C cannot make, used by host code only. */
#ifndef LOADER_WATCH_HOST_SWITCH_H
#define LOADER_WATCH_HOST_SWITCH_H

/* Calls function() with the stack pointer at `top`, 16-byte aligned; it must not return. */
_Noreturn void host_call_on_stack(void (*function)(void), void *top);

/*
 * Starts a child process that shares this one's memory (CLONE_VM) and ends with SIGCHLD. The
 * child calls entry_depart() at once; the parent gets its process ID, or -errno.
 */
long host_clone_and_depart(void);

#endif
