/* Everything in which the three loaders differ. */
#pragma once

#include "common/load_plan.h"
#include "loader/predict/predict.h"

struct strategy {
	const char *name;    /* name of the executable */
	const char *summary; /* one sentence for --help */
	/* When the pages of file mappings, and those of .bss, come into memory. */
	enum presence file_pages, bss_pages;
	/* The prediction policy if --policy names none; NULL if no page is hidden. */
	policy_function *default_policy;
	/*
	 * Anonymous mappings with fewer bytes are not hidden. The second number applies if the
	 * kernel always fills 2 MiB at a touch.
	 */
	uint64_t least_bss_bytes, least_huge_bss_bytes;
	/*
	 * The policy fills pages ahead. The engine userfaultfd does that best; its touches raise
	 * SIGBUS.
	 */
	bool fills_ahead;
	/* A profile in the cache is used by default; it is learned only on request. */
	bool uses_cache;
	/* Prints where --trace writes. */
	bool names_trace;
	/* The loader removes itself from the address space before the program starts. */
	bool leaves_nothing;
};
