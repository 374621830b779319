/*
 * An engine is a way to make mapped pages inaccessible and accessible again.
 *
 * The mapping is there all the time, with its file and its place; an engine hides ranges of it
 * and reveals them. Results are 0 or -errno. Async-signal-safe; no locking of their own.
 */
#ifndef LOADER_RESIDENT_ENGINE_H
#define LOADER_RESIDENT_ENGINE_H

#include "common/kernel_abi.h"

#include <stdbool.h>
#include <stdint.h>

struct engine {
	const char *name;
	long (*hide)(uint64_t start, uint64_t length, int protection);
	long (*reveal)(uint64_t start, uint64_t length, int protection);
	bool splits_mappings; /* each reveal may cost two of vm.max_map_count */
	bool denies_access;   /* a hidden page faults with SEGV_ACCERR, not SEGV_MAPERR */
};

/* Filled at run time rather than constant tables: resident code carries no relocations. */
struct engine resident_engine_guard(void);
struct engine resident_engine_mprotect(void);

#endif
