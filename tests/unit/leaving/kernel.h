/*
 * Included before everything else in the resident sources that test_leaving.c drives. It
 * replaces what common/arch/syscall.h and loader/resident/threads/shared.h define. System calls go
 * to the test's own kernel, and other threads can run before each access to a shared word. A word
 * of less than 32 bits is written before a wider one; its access is not a step.
 */
#pragma once

#include "common/arch/syscall.h"
#include "loader/resident/threads/shared.h"

#include <stdbool.h>

long leaving_syscall(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
		     uint64_t f);
#define raw_syscall6		      leaving_syscall
#define raw_syscall3(number, a, b, c) leaving_syscall(number, a, b, c, 0, 0, 0)
#define raw_syscall2(number, a, b)    leaving_syscall(number, a, b, 0, 0, 0, 0)
#define raw_syscall1(number, a)	      leaving_syscall(number, a, 0, 0, 0, 0, 0)
#define raw_syscall0(number)	      leaving_syscall(number, 0, 0, 0, 0, 0, 0)

#undef shared_read
#undef shared_write
#undef shared_exchange
#undef shared_or
#undef shared_replace

/* Other threads may go on here, ahead of an access to a word. */
void leaving_step(const void *word, bool reads, const char *function);
bool leaving_taken(void);
void leaving_release(const char *function);
/* A word has changed: threads that look again and again have something new to see. */
void leaving_changed(void);
/* A thread's state changes; `by` is the function that does it. */
void leaving_check_step(uint32_t from, uint32_t to, const char *by);

#define check_step(from, to, by) leaving_check_step(from, to, by)

#define shared_step(word, reads)                                                                   \
	((void)(sizeof(word) == sizeof(uint32_t) && (leaving_step(&(word), reads, __func__), 1)))
#define shared_read(word) (shared_step(word, true), (word))
#define shared_write(word, value)                                                                  \
	do {                                                                                       \
		__typeof__(word) written = (value);                                                \
		shared_step(word, false);                                                          \
		(word) = written;                                                                  \
		leaving_changed();                                                                 \
	} while (0)

static inline uint32_t leaving_exchange(uint32_t *word, uint32_t value)
{
	uint32_t before = *word;

	*word = value;
	return before;
}

/* Only locks are released this way. */
#define shared_exchange(word, value) (leaving_release(__func__), leaving_exchange(&(word), value))
#define shared_or(word, bits)	     (shared_step(word, false), leaving_exchange(&(word), (word) | (bits)))
#define shared_replace(word, from, to)                                                             \
	(shared_step(word, false), (word) == (from) ? ((word) = (to), leaving_taken()) : false)
