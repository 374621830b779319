/*
 * An engine makes mapped pages inaccessible and accessible again.
 *
 * The mapping is always there, with its file and its address. An engine hides ranges of the mapping
 * and reveals them. Ranges are whole pages of one region. Results are 0 or -errno. All functions
 * are async-signal-safe, and are called under the pager's lock.
 */
#pragma once

#include "common/kernel_abi.h"
#include "common/page.h"
#include "loader/predict/predict.h"

#include <stdbool.h>
#include <stdint.h>

/* Ranges of at least this many bytes may be handed to an engine in one piece: see reveals_again. */
#define MANY_BYTES (64 * PAGE_BYTES)

struct engine {
	const char *name;
	/*
	 * Hides a range whose pages are not in memory yet: a whole region, or part of a region that
	 * is hidden in chunks.
	 */
	long (*hide)(uint64_t start, uint64_t length, int protection);
	/*
	 * Hands a range to the kernel's own paging. If `bring` says populate, the pages are in
	 * memory afterwards. The caller passes hidden pages only, unless reveals_again is set.
	 */
	long (*reveal)(uint64_t start, uint64_t length, int protection, enum bring bring);
	/*
	 * Reveals every page of a region that is still hidden. NULL: the caller reveals the region
	 * piece by piece.
	 */
	long (*retire)(uint64_t start, uint64_t length);
	/*
	 * Revealing at least this many bytes may split a mapping into three. 0: no reveal splits
	 * one.
	 */
	uint64_t splits_from;
	bool in_chunks;	     /* hiding has a cost per page */
	bool reveals_again;  /* ranges of at least MANY_BYTES may include revealed pages */
	bool copies;	     /* populating a page costs no more than revealing it */
	bool anonymous_only; /* cannot hide pages of a file */
	bool has_descriptor; /* works with userfaultfd_descriptor */
	int signal;	     /* the signal that a touch raises: SIGSEGV or SIGBUS */
	int code;	     /* the si_code of that signal */
};

/* All engines, in the order of --help. docs/CONTRIBUTING.md describes how to add an engine. */
#define ENGINES(ENGINE)                                                                            \
	ENGINE(guard)                                                                              \
	ENGINE(mprotect)                                                                           \
	ENGINE(mmap)                                                                               \
	ENGINE(userfaultfd)

/*
 * The descriptor of the engine `userfaultfd`; host code opens it. The program could close it unless
 * the loader intercepts the program's system calls. -1: the engine is not used, or lazy paging has
 * ended.
 */
extern int userfaultfd_descriptor;

/* All names in one string, each after a space. */
#define ENGINE_NAME(name) " " #name
#define ENGINE_NAMES	  ENGINES(ENGINE_NAME)

/*
 * Functions that return a struct engine. Constant tables of function pointers would need
 * relocations, and resident code has none.
 */
#define ENGINE_FUNCTION(name) struct engine engine_##name(void);
ENGINES(ENGINE_FUNCTION)
#undef ENGINE_FUNCTION

/* For the pages that a placement places (engine_placed.c); no option names it. */
struct engine engine_placed(void);

/*
 * Asks the kernel to populate accessible pages or to use huge pages. The kernel may ignore the
 * request.
 */
void engine_bring(uint64_t start, uint64_t length, int protection, enum bring bring);

/*
 * Calls act() on a range. If the program has mapped something of another kind in the range, the
 * kernel refuses the whole range (-EINVAL). Then the range is halved, again and again, until only
 * the pages that the program replaced are left out.
 */
long engine_in_halves(long (*act)(uint64_t start, uint64_t length), uint64_t start,
		      uint64_t length);
