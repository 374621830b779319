/* New processes and threads. */
#ifndef LOADER_RESIDENT_CALLS_PROCESSES_H
#define LOADER_RESIDENT_CALLS_PROCESSES_H

#include "loader/resident/threads/thread.h"

/* fork, vfork, clone, clone3: the result. */
long processes_clone(struct thread *thread, struct kernel_context *context);

/*
 * Called on the child's block by gadget_spawn(): the child goes on where its frame says. It looks
 * whether its process is LEAVING, because nobody could ask it before.
 */
void processes_begin_thread(struct signal_frame *frame);

#endif
