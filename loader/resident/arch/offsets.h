/*
 * The numbers in entry.S, gadget.S and host_switch.S: offsets in structs, lengths and flags. Each
 * is asserted in the C file that knows where it comes from.
 */
#ifndef LOADER_RESIDENT_ARCH_OFFSETS_H
#define LOADER_RESIDENT_ARCH_OFFSETS_H

/* struct thread (gadget_call.c) */
#define SAVED_R8      0
#define SAVED_R9      8
#define SAVED_R10     16
#define SAVED_RDI     64
#define SAVED_RSI     72
#define SAVED_RBX     88
#define SAVED_RDX     96
#define SAVED_RIP     128
#define SAVED_RFLAGS  136
#define THREAD_RESULT 256
#define THREAD_NEWS   265

/* struct gadget_upward (gadget_call.c) */
#define UPWARD_SIGNAL  0
#define UPWARD_MANAGED 8
#define UPWARD_END     16
#define UPWARD_BEGIN   24

/* struct exec_call (exec.c) */
#define EXEC_MASK      0
#define EXEC_NUMBER    8
#define EXEC_ARGUMENTS 16
#define MASK_BYTES     8
#define SET_MASK       2    /* SIG_SETMASK */
#define COPY_FAILED    -14  /* -EFAULT */
#define EXEC_RESTART   -512 /* -KERNEL_RESTART */

/* launch.c */
#define STACK_BYTES 2048

/* struct launch_word (launch.h) */
#define WORD_AT		 0
#define WORD_FOR_PROGRAM 16
#define WORD_BYTES	 24

/* supervise.c */
#define WATCHED_CHILD 0x111 /* CLONE_VM | SIGCHLD */

/* At a program's entry: the x87 and SSE state, and the flags (psABI 3.4.1). */
#define ENTRY_RFLAGS	 0x202
#define RFLAGS_ALIGNMENT 0x40000
#define ENTRY_MXCSR	 0x1f80

#endif
