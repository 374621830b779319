/* What signals.c and pending.c share. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <signal.h>

#include "steps.h"

#define SIGNAL_BIT(number) (UINT64_C(1) << ((number)-1))
#define SIGNALS_OF_FAULTS  (SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGBUS) | SIGNAL_BIT(SIGSYS))
#define SIGNAL_ENTRIES	   64

struct signal_entry {
	int number, code, value;
};

/* signals.c: what is in force, and what has been handled since the last check. */
extern struct sigaction signal_actions[65];
extern uint64_t signal_mask;
extern struct signal_entry signal_handled[SIGNAL_ENTRIES];
extern unsigned signal_handled_count;

int signals_any(void);
uint64_t signals_any_set(void);
uint64_t signals_without_resets(uint64_t set);
long signals_set_mask(int how, uint64_t set, uint64_t *old);

/* pending.c */
uint64_t signals_pending(void);
void signals_forget(int number);
/* What is not blocked is handled now. */
void signals_deliver(void);

#endif
