/*
 * An engine is a way to make mapped pages inaccessible and accessible again.
 *
 * The mapping is there all the time, with its file and its place; an engine hides ranges of it
 * and reveals them. Ranges are whole pages of one region. Results are 0 or -errno.
 * Async-signal-safe; called under the pager's lock.
 */
#ifndef LOADER_RESIDENT_PAGER_ENGINE_H
#define LOADER_RESIDENT_PAGER_ENGINE_H

#include "common/kernel_abi.h"
#include "common/page.h"
#include "loader/predict/predict.h"

#include <stdbool.h>
#include <stdint.h>

/* Ranges of this length and more may be handed to an engine in one piece: see reveals_again. */
#define MANY_BYTES (64 * PAGE_BYTES)

struct engine {
	const char *name;
	/* Hides a range whose pages are not in memory yet: a region, or part of one in chunks. */
	long (*hide)(uint64_t start, uint64_t length, int protection);
	/*
	 * Hands a range to the kernel's own paging; if populated its pages are in memory
	 * afterwards. The caller passes hidden pages only, unless reveals_again is set.
	 */
	long (*reveal)(uint64_t start, uint64_t length, int protection, enum bring bring);
	/* The same for all that is still hidden of a region; NULL: reveal it piece by piece. */
	long (*retire)(uint64_t start, uint64_t length);
	/* Revealing so many bytes or more may leave a mapping in three; 0: no reveal does. */
	uint64_t splits_from;
	bool in_chunks;	     /* hiding costs something for each page */
	bool reveals_again;  /* ranges of MANY_BYTES or more may hold revealed pages */
	bool copies;	     /* populates a page at no more than revealing it costs */
	bool anonymous_only; /* cannot hide pages of a file */
	bool has_descriptor; /* works with userfaultfd_descriptor */
	int signal;	     /* SIGSEGV or SIGBUS: what a touch raises, */
	int code;	     /* and its si_code */
};

/* All engines, in the order in which --help has them. To add an engine: docs/CONTRIBUTING.md. */
#define ENGINES(ENGINE)                                                                            \
	ENGINE(guard)                                                                              \
	ENGINE(mprotect)                                                                           \
	ENGINE(mmap)                                                                               \
	ENGINE(userfaultfd)

/*
 * The descriptor of the engine `userfaultfd`, which host code opens. The program could close it,
 * unless its system calls come to us. -1: the engine is not used, or lazy paging has ended.
 */
extern int userfaultfd_descriptor;

/* One string, with a space before each. */
#define ENGINE_NAME(name) " " #name
#define ENGINE_NAMES	  ENGINES(ENGINE_NAME)

/* Filled at run time rather than constant tables: resident code carries no relocations. */
#define ENGINE_FUNCTION(name) struct engine engine_##name(void);
ENGINES(ENGINE_FUNCTION)
#undef ENGINE_FUNCTION

/* What there is to do about pages that are accessible already. Only a help: may do nothing. */
void engine_bring(uint64_t start, uint64_t length, int protection, enum bring bring);

/*
 * act() on a range. Where the program has mapped something of another kind, the kernel refuses the
 * whole range (-EINVAL): then it goes in halves, down to the pages that are the program's own.
 */
long engine_in_halves(long (*act)(uint64_t start, uint64_t length), uint64_t start,
		      uint64_t length);

#endif
