/* What the program wants done about signals, and signals that are to come once more. */
#ifndef LOADER_RESIDENT_SIGNALS_ACTIONS_H
#define LOADER_RESIDENT_SIGNALS_ACTIONS_H

#include "loader/resident/threads/thread.h"

/* What the program wants done about a signal; a handler for one occasion is used up by it. */
struct kernel_sigaction actions_claim(struct process *process, int number);

/* Sends a signal that we got once more: to this thread if it was meant for one. */
void actions_send_again(int number, const siginfo_t *info);

#endif
