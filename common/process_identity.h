/*
 * What the kernel told this process about itself, read before anything is changed, and what
 * follows from it for the program: execve has just done for the loader what the loader has to
 * arrange for its guest.
 */
#ifndef COMMON_PROCESS_IDENTITY_H
#define COMMON_PROCESS_IDENTITY_H

#include "common/kernel_abi.h"
#include "common/load_plan.h"
#include "common/process_stack.h"

struct process_start {
	char **argv, **envp;	       /* main's arguments */
	const struct auxv_entry *auxv; /* where the kernel put it; up to and without AT_NULL */
	size_t auxv_count;
	uint64_t image, image_end; /* where the loader's own executable is mapped */
	uint64_t stack_top;	   /* the end of the stack's mapping, exclusive */
	/* Between the tables and the strings, where nothing was written; both 0: not known. */
	struct stack_range gap;
	uint64_t brk_start;   /* where the kernel put our own brk */
	uint64_t brk_end;     /* how far the C library has moved it */
	bool randomised;      /* address space layout randomisation is on */
	bool denies_gain;     /* memory may not become executable (PR_SET_MDWE) */
	bool under_valgrind;  /* which makes system calls and handles faults in this process, too */
	uint64_t signal_mask; /* as inherited */
};

/* Reads the state that execve left; argv and envp are there already. */
bool process_start_read(struct process_start *start, struct error *error);

/* The value of an auxiliary vector entry, or 0. */
uint64_t process_start_auxv(const struct process_start *start, uint64_t type);

/*
 * Where the kernel would put the lowest page of a position-independent program that has an
 * interpreter (load_elf_binary). The random part comes from AT_RANDOM's bytes, which the program
 * gets: from both halves together, so that whoever knows the place knows nothing of either half.
 */
uint64_t program_base(const struct process_start *start);

/*
 * Where the program's brk begins. The kernel has just drawn a random offset for the loader's own
 * brk; the program gets the same offset, from where the kernel would have counted it.
 */
uint64_t program_brk(const struct process_start *start, const struct load_plan *plan,
		     bool has_interpreter);

/* The figures that proc(5)'s stat, cmdline, environ and auxv show, for prctl(PR_SET_MM_MAP). */
struct kernel_mm_map program_mm_map(const struct load_plan *plan, const struct stack_image *stack,
				    uint64_t brk);

/*
 * Sets /proc/self/comm from the path and undoes what the C library registered with the kernel
 * for the calling thread. Ends the loader's life as an ordinary libc program.
 */
void process_take_name(const char *path);

#endif
