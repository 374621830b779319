/*
 * Included ahead of everything else in the resident sources that test_leaving.c drives. It takes
 * the place of common/arch/syscall.h and of loader/resident/threads/shared.h, so that system calls
 * go to the test's own kernel, and so that other threads can go on ahead of each access to a shared
 * word. What is less than 32 bits wide is written ahead of a word that is, and is no step.
 */
#ifndef TESTS_UNIT_LEAVING_KERNEL_H
#define TESTS_UNIT_LEAVING_KERNEL_H

#define COMMON_ARCH_SYSCALL_H
#define LOADER_RESIDENT_THREADS_SHARED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>

long raw_syscall6(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
		  uint64_t f);
#define raw_syscall3(number, a, b, c) raw_syscall6(number, a, b, c, 0, 0, 0)
#define raw_syscall2(number, a, b)    raw_syscall6(number, a, b, 0, 0, 0, 0)
#define raw_syscall1(number, a)	      raw_syscall6(number, a, 0, 0, 0, 0, 0)
#define raw_syscall0(number)	      raw_syscall6(number, 0, 0, 0, 0, 0, 0)

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

#endif
