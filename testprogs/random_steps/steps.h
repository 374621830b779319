/* What the files of random_steps share. */
#ifndef STEPS_H
#define STEPS_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE 4096

/* A number from 0 on, below `end`. */
uint64_t random_below(uint64_t end);
bool random_one_in(uint64_t count);

/* Says so if they differ, and counts it; `found` is part of the checksum. */
void expect(const char *what, long found, long expected);

/* A step at random; how much was not as expected so far. */
void steps_make(void);
int steps_wrong(void);

/* ---- pages.c: arrays whose every page is known ---- */

void pages_begin(void);
void pages_check_all(void);

/* What a page is for the program, numbered through all arrays. */
struct page {
	bool mapped;
	int protection;
	uint8_t stamp; /* its first and its last byte */
	uint8_t base;  /* the same after MADV_DONTNEED */
};

unsigned pages_any(void); /* the number of one */
const struct page *pages_model(unsigned number);
char *pages_address(unsigned number);
bool pages_readable(unsigned number);
bool pages_writable(unsigned number);
void pages_stamp(unsigned number, uint8_t stamp); /* it has been written */
unsigned pages_writable_one(void);		  /* the number of one that may be written */
/* Reads or writes an accessible one, and checks what was there. */
void pages_use(unsigned number, bool write);
/* A fresh place for something that a system call reads, of at most a page. */
void *pages_spare(void);

void step_touch(void);
void step_protect(void);
void step_unmap(void);
void step_map(void);
void step_remap(void);
void step_advise(void);
void step_break(void);

/* ---- calls.c: system calls that are given addresses ---- */

void step_pipe(void);
void step_arguments(void);
void step_message(void);

/* ---- signals.c: what is handled, blocked and pending ---- */

void signals_begin(bool faults_too);
/* All that should have been handled by now has been, and nothing else. */
void signals_check(void);
/* Whether a touch of a page that is not accessible may be tried. */
bool signals_catch_faults(void);
/* True: the access of address has failed. */
bool signals_try(char *address, bool write, uint8_t *value);
/* There are threads now: what is shown of handlers and stacks need no longer be the program's. */
void signals_share(void);
/* The child of a fork has none pending. */
void signals_begin_child(void);
/* A blocked signal, or 0; and that a process with this ID has sent it. */
int signals_blocked_one(void);
void signals_sent(int number, bool to_thread, int code, int value);
/* Blocks everything; puts the mask of before in force again. */
void signals_block_all(void);
void signals_unblock(void);

void step_action(void);
void step_mask(void);
void step_send(void);
void step_take(void);
void step_suspend(void);
void step_stack(void);

/* ---- others.c: threads, processes, timers ---- */

void step_timer(void);
void step_sleep(void);
void step_threads(void);
void step_futex(void);
void step_fork(void);
void step_vfork(void);
void step_sent(void);

#endif
