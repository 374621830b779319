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
	bool needs_guard;	/* resident code stays: guard_find_need */
	struct profile profile;
	bool has_profile; /* it takes the place of hiding pages */
};

/*
 * Prepares the pager for the plan's hidden mappings: its tables, the guard, the engine, and the
 * one page that is there at entry.
 */
bool pager_prepare(const struct guest *guest, struct error *error);

/*
 * Prepares the first thread's block and finds out whether system calls can be intercepted. Needed
 * where pages are hidden, and for a program that could not find its own file without.
 */
bool guard_prepare(const struct guest *guest, bool pages_hidden, struct error *error);

/*
 * Hides every region of the pager: with the engine of this name, or with the best one that this
 * kernel has for NULL.
 */
struct pager;
bool engines_hide(const char *name, struct pager *pager, struct error *error);

/* The names that engines_hide knows, in the order in which they are tried; NULL at the end. */
extern const char *const engine_names[];

/*
 * Copies the resident code to where it can run: all of it, or only what is needed to leave. To be
 * done before anything resident is called.
 */
bool departure_fill_area(bool all, struct error *error);

/*
 * Whether resident code has something to do in the program: bring in hidden pages, show it its own
 * file where /proc/self/exe may stay ours, or tell where it was when it was killed.
 */
bool guard_find_need(const struct guest *guest);

/*
 * Prepares the launch: the program's stack, its identity, what is unmapped, and the departure
 * stub for a loader that leaves nothing.
 */
bool departure_prepare(const struct guest *guest, struct error *error);

/* Prints the plan on standard output. False if it cannot be written. */
bool plan_print(const struct load_plan *plan, const struct load_span *span);

#endif
