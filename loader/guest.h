/* One program on its way into memory: what each phase has found out for the next one. */
#ifndef LOADER_GUEST_H
#define LOADER_GUEST_H

#include "common/elf_image.h"
#include "common/elf_symbols.h"
#include "common/load_plan.h"
#include "common/process_identity.h"
#include "common/program_file.h"
#include "loader/options.h"
#include "loader/profile/profile.h"

struct guest {
	const struct strategy *strategy;
	struct options options;
	const char *name;	    /* of the program, as typed */
	struct process_start start; /* what execve left for us */
	struct program_file file;
	struct elf_image image;
	struct elf_symbols symbols; /* empty unless somebody watches */
	struct load_plan plan;
	const char *record_key; /* what the profile that is recorded belongs to */
	bool hides_pages;	/* of any mapping */
	bool needs_guard;	/* resident code stays: guard_find_need */
	bool is_traced;		/* events are written, for --trace or a story */
	bool is_watched;	/* the program is a child of the loader, which reports */
	int trace_file;		/* descriptor; 0: none */
	struct profile profile;
	bool has_profile; /* it takes the place of hiding pages */
};

#endif
