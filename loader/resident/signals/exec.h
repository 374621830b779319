/* execve and execveat: another program takes the place of this one. */
#ifndef LOADER_RESIDENT_CALLS_EXEC_H
#define LOADER_RESIDENT_CALLS_EXEC_H

#include "loader/resident/threads/thread.h"

/* execve, execveat. */
long exec_make(struct thread *thread, struct kernel_context *context);

/* A handler for a signal that arrived on the way into execve: see gadget.S. */
void exec_interrupted(struct kernel_context *context);

#endif
