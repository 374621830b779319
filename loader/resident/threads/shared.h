/*
 * How resident code reads and writes a word that another thread may change at the same time. Such
 * words are the states of threads and processes, the fields that belong to a state, and locks. All
 * accesses are sequentially consistent. tests/unit/leaving/kernel.h replaces this header, so that
 * test_leaving.c can run other threads ahead of an access.
 */
#pragma once

#define shared_read(word)	  __atomic_load_n(&(word), __ATOMIC_SEQ_CST)
#define shared_write(word, value) __atomic_store_n(&(word), value, __ATOMIC_SEQ_CST)

/* These return the old value. */
#define shared_exchange(word, value) __atomic_exchange_n(&(word), value, __ATOMIC_SEQ_CST)
#define shared_or(word, bits)	     __atomic_fetch_or(&(word), bits, __ATOMIC_SEQ_CST)

/* Writes `to` if the old value is `from`. Returns whether it was. */
#define shared_replace(word, from, to)                                                             \
	({                                                                                         \
		__typeof__(word) expected = (from);                                                \
		__atomic_compare_exchange_n(&(word), &expected, to, false, __ATOMIC_SEQ_CST,       \
					    __ATOMIC_SEQ_CST);                                     \
	})
