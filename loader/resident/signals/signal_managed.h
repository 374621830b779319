/*
 * SIGSEGV, SIGBUS and SIGSYS: how touches of hidden pages and system calls reach us, while the
 * program has its own of them.
 */
#ifndef LOADER_RESIDENT_SIGNALS_SIGNAL_MANAGED_H
#define LOADER_RESIDENT_SIGNALS_SIGNAL_MANAGED_H

/* Called by gadget_on_managed() (gadget.S) on the block of the thread. */
void handler_of_managed(int number, void *info, void *context);

#endif
