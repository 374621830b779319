/* Everything in which the three loaders differ. */
#ifndef LOADER_CLI_STRATEGY_H
#define LOADER_CLI_STRATEGY_H

#include "common/load_plan.h"
#include "loader/predict/predict.h"

struct strategy {
	const char *name;    /* of the executable */
	const char *summary; /* one sentence for --help */
	/* When the pages of mappings of the file come into memory, and those of .bss. */
	enum presence file_pages, bss_pages;
	/* The prediction policy used unless --policy says otherwise; NULL if nothing is hidden. */
	policy_function *default_policy;
	/*
	 * Anonymous mappings of fewer bytes are not hidden. The second number holds where the
	 * kernel always fills 2 MiB at a touch.
	 */
	uint64_t least_bss_bytes, least_huge_bss_bytes;
	/*
	 * The policy fills pages ahead, which the engine userfaultfd does best; its touches raise
	 * SIGBUS.
	 */
	bool fills_ahead;
	/* A profile of the cache is read without being asked for; it is learned only on request. */
	bool uses_cache;
	/* The loader removes itself from the address space before the program starts. */
	bool leaves_nothing;
};

#endif
