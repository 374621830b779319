/* The steps: each changes the program's state and its model, and compares both. */
#pragma once

#include <sys/types.h>

/* pages.c: what becomes of pages. */
void step_touch(void);
void step_protect(void);
void step_unmap(void);
void step_map(void);
void step_remap(void);
void step_advise(void);
void step_break(void);

/* calls.c: system calls that are given addresses. */
void step_pipe(void);
void step_arguments(void);
void step_message(void);

/* signal_steps.c, and the last in signals.c: what is handled, blocked and pending. */
void step_action(void);
void step_mask(void);
void step_send(void);
void step_take(void);
void step_suspend(void);
void step_stack(void);

/* others.c: timers, threads and processes. */
void step_timer(void);
void step_sleep(void);
void step_threads(void);
void step_futex(void);
void step_vfork(void);
void step_sent(void);

/* The status with which the child has ended. */
long wait_for_child(pid_t child);
