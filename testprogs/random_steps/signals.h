/* Signals of the first thread: which handler each has, and which are blocked. */
#pragma once

#include <signal.h>

#include "model.h"

#define SIGNAL_BIT(number) (UINT64_C(1) << ((number)-1))
#define SIGNALS_OF_FAULTS  (SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGBUS) | SIGNAL_BIT(SIGSYS))
#define SIGNAL_ENTRIES	   64

struct signal_entry {
	int number, code, value;
};

/* The actions and the mask in force, and the signals handled since the last check. */
extern struct sigaction signal_actions[65];
extern uint64_t signal_mask;
extern struct signal_entry signal_handled[SIGNAL_ENTRIES];
extern unsigned signal_handled_count;

void signals_begin(bool faults_too);
int signals_any(void);
uint64_t signals_any_set(void);
/* The signals of the set whose handler stays after its first signal. */
uint64_t signals_without_resets(uint64_t set);
long signals_set_mask(int how, uint64_t set, uint64_t *old);
/* An action with the handler that notes its signal, and blocks all others meanwhile. */
struct sigaction signals_action(void);
/* Sets the action, and expects the old one to be the model's. */
void signals_install(int number, const struct sigaction *action);
/* Whether a step may touch a page that is not accessible. */
bool signals_catch_faults(void);
/* Accesses the address. True: the access has failed. */
bool signals_try(char *address, bool write, uint8_t *value);
/* There are threads now: what is shown of handlers and stacks need no longer be the program's. */
void signals_share(void);
/* Blocks everything; puts the mask of before in force again. */
void signals_block_all(void);
void signals_unblock(void);
