/*
 * SIGSEGV, SIGBUS and SIGSYS: how touches of hidden pages and system calls reach us, while the
 * program has its own of them.
 */
#ifndef LOADER_RESIDENT_SIGNALS_SIGNAL_MANAGED_H
#define LOADER_RESIDENT_SIGNALS_SIGNAL_MANAGED_H

#include "common/arch/x86_64/signal_frame.h"

/* For gadget_on_managed() (gadget.S): the handler to go on in, or NULL to return. */
void *handler_of_managed(int number, const siginfo_t *info, struct kernel_context *context);

#endif
