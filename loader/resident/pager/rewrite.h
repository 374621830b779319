/*
 * How system calls are intercepted where the kernel lacks dispatch, if ARCH_REWRITES is true for
 * the processor. The instruction of a system call is replaced in the program's text by one that is
 * undefined, and as long. So it raises SIGILL, and no other instruction moves.
 *
 * Text is hidden, and each page of it is rewritten when it is revealed, before a thread can execute
 * it. A page is writable only while it is not executable. The instructions are put back when all
 * threads have left lazy paging (leave.c). Until then hidden text stays hidden, so that nothing
 * runs that was not rewritten. All threads leave before a call that might bring other code into
 * memory, or change the mapping of text.
 *
 * On other processors nothing here is compiled. Every caller asks REWRITES first.
 */
#pragma once

#include "loader/resident/arch/call.h"
#include "loader/resident/pager/regions.h"

#include <signal.h>
#include <sys/mman.h>

/* Executable mappings of a program, and that of the vDSO. */
#define REWRITE_TEXTS_MAX 8

struct rewrite_text {
	uint64_t start, end; /* of its instructions: what surrounds them is data */
	int protection;
	bool has_sections;   /* of the file: all of it is code */
	uint64_t *rewritten; /* bitmap, one bit per instruction; written under pager.lock */
};

struct rewrite {
	bool ended;
	uint64_t return_page; /* an empty page, for resident_launch_return (frame.h) */
	unsigned count;
	struct rewrite_text texts[REWRITE_TEXTS_MAX]; /* the vDSO's is the last one */
};

/* Filled in by host code. NULL: text is not rewritten. */
extern struct rewrite *resident_launch_rewrite;

/* Whether calls are intercepted so. A constant where the processor's never are. */
#define REWRITES (ARCH_REWRITES && resident_launch_rewrite != NULL)

/* Whether the pages of a region are rewritten. */
static inline bool rewrite_includes(const struct pager_region *region)
{
	return REWRITES && (region->protection & PROT_EXEC) != 0;
}

/* Rewrites the vDSO. Called once, just before the program starts. */
void rewrite_begin(void);

/* The engine's reveal(), for a region of text. Returns 0 or -errno. */
long rewrite_reveal_locked(const struct pager_region *region, uint64_t start, uint64_t length);

/* Whether a signal is that of a system call. Then the registers are those after the call's
 * instruction. */
bool rewrite_takes_call(int number, const siginfo_t *info, struct kernel_registers *registers);

/* Whether all threads have to leave before a system call: see above. */
bool rewrite_ends_before(const struct call *call);

/*
 * Reveals all text and puts the instructions back. Meanwhile no thread of the program may execute
 * text. If the caller is killed, another thread may call this again.
 */
void rewrite_end(struct pager *pager);
