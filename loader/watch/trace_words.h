/* The words for events, in the file of --trace and in --explain. Host code. */
#pragma once

#include "loader/guest/guest.h"
#include "loader/resident/pager/regions.h"
#include "loader/resident/base/trace.h"

/* A word without blanks, such as `reveal`. */
const char *trace_kind_word(enum trace_kind kind);

/*
 * An event's detail in words: `write`, `a stream goes on upwards`, `openat`, `SIGUSR1`; "" if it
 * has none. The words are in static memory until the next call.
 */
const char *trace_detail_words(const struct trace_event *event);

/* Whether an event's detail is one for which there are words. The kind must be known. */
bool trace_detail_is_possible(const struct trace_event *event);

/* Why lazy paging ended; NULL for RETIRE_NOT. */
const char *retire_reason_words(enum retire_reason reason);

/*
 * As retire_reason_words(), with the name of the call for RETIRE_CALL. The words are in static
 * memory until the next call.
 */
const char *retire_words(enum retire_reason reason, long call);

/*
 * `openat`, or the number if the call has no name. The word is in static memory until the next
 * call.
 */
const char *system_call_word(long number);

/* `SIGUSR1`, `SIGRTMIN+2`. The word is in static memory until the next call. */
const char *signal_word(int number);

#define SYMBOL_BYTES 256
#define NO_SYMBOL    "-"

/* `main+0x1a`, or NO_SYMBOL for an address without a symbol. Returns text: SYMBOL_BYTES. */
const char *symbol_words(const struct guest *guest, uint64_t address, char *text);

/* The section that contains an address, or NULL. */
const char *section_word(const struct guest *guest, uint64_t address);
