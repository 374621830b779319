/*
 * The program that is being loaded. Each phase of loader_run.c writes its results here, and the
 * next phases read them.
 */
#pragma once

#include "common/elf_image.h"
#include "common/elf_symbols.h"
#include "common/huge_pages.h"
#include "common/load_plan.h"
#include "common/output_file.h"
#include "common/placement/rules.h"
#include "common/process_identity.h"
#include "common/program_file.h"
#include "common/segment_mapper.h"
#include "loader/cli/options.h"
#include "loader/files/profile.h"

/* An ELF file on its way into memory: the program, or the interpreter that it names. */
struct object {
	struct program_file file;
	struct elf_image image;
	struct elf_symbols symbols;	/* read only for --explain, --trace, --place-hint */
	struct reservation reservation; /* of a position-independent object */
	struct load_plan plan;
	uint64_t first_page; /* number of the page at its address 0, in profiles */
};

/* The page numbers of the interpreter start here. No program has this many pages. */
#define INTERPRETER_FIRST_PAGE (UINT64_C(1) << 36)

/* Indexes into objects[]. */
enum { PROGRAM, INTERPRETER, OBJECTS_MAX };

struct profile_place;

struct guest {
	const struct strategy *strategy;
	struct options options;
	const char *name;   /* the program's name as typed */
	const char *path;   /* the path that execve would have been given: AT_EXECFN */
	const char *script; /* the path of the script that execve would have been given, or NULL */
	struct process_start start; /* what the kernel gave this process at its start */
	struct object objects[OBJECTS_MAX];
	unsigned object_count;
	/* For profiles, from profile_key_find(): the program's key; the script that it runs, or
	   NULL. */
	const char *profile_key, *profile_script;
	enum huge_pages huge_pages; /* for .bss, if any of it is large enough */
	bool hides_pages;	    /* pages of at least one mapping are hidden */
	bool changes_executable;    /* this process may change /proc/self/exe itself */
	bool needs_guard;	    /* resident code may have to stay: guard_find_need() */
	bool rewrites;		    /* the kernel lacks dispatch: guard_has_to_rewrite() */
	bool is_traced;		    /* events are written, for --trace or a story */
	bool is_watched;	    /* the program is a child of the loader, which reports its
				       end */
	/* The files to write, if the options name them. */
	struct output_file statistics, trace, order, record, layout, learned;
	struct placement *placement;	     /* NULL: the kernel chooses all frames */
	struct profile_place *profile_place; /* for --profile=auto; NULL: there is none */
	struct profile profile;
	bool has_profile; /* a profile of pages: then no page is hidden */
	bool learns;	  /* this run is observed to learn which files it uses */
	int exact;	  /* a userfaultfd for profile_learn_exactly(); negative: none */
	bool was_cold;	  /* some of the profile's files were not in memory */
};

/* The object with a mapping at an address; the program if there is none. */
const struct object *guest_object_at(const struct guest *guest, uint64_t address);

/* A mapping, and the object that it belongs to. */
struct mapped {
	const struct object *object;
	struct plan_mapping *mapping;
};

/*
 * Advances to the next mapping; an empty `at` advances to the first mapping of the program. Returns
 * false after the last one.
 */
bool guest_next_mapping(const struct guest *guest, struct mapped *at);

/* Whether pages of this mapping are placed: then they need the pool's protection (UFFDIO_MOVE). */
bool guest_places(const struct guest *guest, const struct plan_mapping *mapping);

/* The length from which hiding an anonymous mapping pays: larger if a touch brings in 2 MiB. */
uint64_t guest_least_bss(const struct guest *guest, const struct plan_mapping *mapping);

/* When the kernel uses huge pages for .bss, as a word for reports. */
const char *guest_huge_pages_word(const struct guest *guest);

static inline bool guest_has_interpreter(const struct guest *guest)
{
	return guest->object_count > INTERPRETER;
}

/* Where the process starts: in the interpreter, if there is one. */
static inline uint64_t guest_entry(const struct guest *guest)
{
	return guest->objects[guest->object_count - 1].plan.entry;
}
