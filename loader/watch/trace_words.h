/* The words for what a trace holds: of its file and of --explain. Host code. */
#ifndef LOADER_TRACE_WORDS_H
#define LOADER_TRACE_WORDS_H

#include "loader/guest.h"
#include "loader/resident/pager/regions.h"
#include "loader/resident/trace.h"

/* `reveal`: a word without blanks. */
const char *trace_kind_word(enum trace_kind kind);

/* What an event's detail says: `write`, `a stream goes on upwards`, `openat`, `SIGUSR1`; "" where
 * it says nothing. The words lie in static memory until the next call. */
const char *trace_detail_words(const struct trace_event *event);

/* Whether an event of a known kind has a detail for which there are words. */
bool trace_detail_is_possible(const struct trace_event *event);

/* Why lazy paging ended; NULL for RETIRE_NOT. */
const char *retire_reason_words(enum retire_reason reason);

/* The same, with the name of the call that RETIRE_CALL is about. The words lie in static memory
 * until the next call. */
const char *retire_words(enum retire_reason reason, long call);

/* `openat`, or its number where there is no name. The word lies in static memory until the next
 * call. */
const char *system_call_word(long number);

/* `SIGUSR1`, `SIGRTMIN+2`. The word lies in static memory until the next call. */
const char *signal_word(int number);

#define SYMBOL_BYTES 256
#define NO_SYMBOL    "-"

/* `main+0x1a`, or NO_SYMBOL for an address that no symbol has. Returns text: SYMBOL_BYTES. */
const char *symbol_words(const struct guest *guest, uint64_t address, char *text);

/* The section that an address is in, or NULL. */
const char *section_word(const struct guest *guest, uint64_t address);

#endif
