/*
 * The kernel's data on this process, read before anything is changed, and the program's data that
 * follows from it. execve has just arranged for the loader what the loader has to arrange for its
 * guest.
 */
#pragma once

#include "common/kernel_abi.h"
#include "common/load_plan.h"
#include "common/process_stack.h"

struct process_start {
	char **envp;		       /* the environment, from main */
	const struct auxv_entry *auxv; /* as the kernel placed it; AT_NULL is not included */
	size_t auxv_count;
	uint64_t image, image_end; /* the mapping of the loader's own executable */
	uint64_t stack_top;	   /* the end of the stack's mapping, exclusive */
	/*
	 * The part between the tables and the strings, which was never written; both 0: not known.
	 */
	struct stack_range gap;
	uint64_t brk_start;   /* start of the loader's own brk, as the kernel placed it */
	uint64_t brk_end;     /* end of the brk, as the C library has moved it */
	bool randomized;      /* address space layout randomization is on */
	bool denies_gain;     /* memory must not become executable later (PR_SET_MDWE) */
	bool under_valgrind;  /* Valgrind also makes system calls and handles faults in this
				 process */
	uint64_t signal_mask; /* inherited signal mask */
};

/*
 * Reads the state that execve left. `argv` and `envp` are the arguments of main. `start` must be
 * zeroed.
 */
bool process_start_read(struct process_start *start, char **argv, char **envp, struct error *error);

/* The value of an auxiliary vector entry, or 0. */
uint64_t process_start_auxv(const struct process_start *start, uint64_t type);

/*
 * The address at which the kernel would map the lowest page of a position-independent program with
 * an interpreter (load_elf_binary). The random part is derived from AT_RANDOM's bytes, which the
 * program gets. It mixes both halves, so that the address reveals neither half.
 */
uint64_t program_base(const struct process_start *start);

/*
 * The start of the program's brk. The kernel has just drawn a random offset for the loader's own
 * brk. The program gets the same offset, from the address where the kernel would have counted it.
 */
uint64_t program_brk(const struct process_start *start, const struct load_plan *plan,
		     bool has_interpreter);

/* The numbers that stat, cmdline, environ and auxv of proc(5) show, for prctl(PR_SET_MM_MAP). */
struct kernel_mm_map program_mm_map(const struct load_plan *plan, const struct stack_image *stack,
				    uint64_t brk);

/*
 * Sets /proc/self/comm from the path, and unregisters what the C library registered with the kernel
 * for this thread. Afterwards the process is not an ordinary libc program any more.
 */
void process_take_name(const char *path);
