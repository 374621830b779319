/*
 * The program that is being loaded: each phase of loader_run.c writes what it found out here, and
 * the next ones read it.
 */
#ifndef LOADER_GUEST_H
#define LOADER_GUEST_H

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
#include "loader/profile/profile.h"

/* An ELF file on its way into memory: the program, or the interpreter that it names. */
struct object {
	struct program_file file;
	struct elf_image image;
	struct elf_symbols symbols;	/* for --explain, --trace, --place-hint */
	struct reservation reservation; /* of a position-independent one */
	struct load_plan plan;
	uint64_t first_page; /* the number of the page at its address 0, in profiles */
};

/* No program has so many pages: from this number on those of the interpreter are counted. */
#define INTERPRETER_FIRST_PAGE (UINT64_C(1) << 36)

/* The place of each in objects[]. */
enum { PROGRAM, INTERPRETER, OBJECTS_MAX };

struct profile_place;

struct guest {
	const struct strategy *strategy;
	struct options options;
	const char *name;   /* of the program, as typed */
	const char *path;   /* that execve would have been given: AT_EXECFN */
	const char *script; /* path of the script that execve would have been given, or NULL */
	struct process_start start; /* what the kernel told this process */
	struct object objects[OBJECTS_MAX];
	unsigned object_count;
	const char *record_key;	    /* for --record: which program the profile is of */
	enum huge_pages huge_pages; /* for .bss, where any of it is large enough */
	bool hides_pages;	    /* pages of at least one mapping are hidden */
	bool changes_executable;    /* may make its file /proc/self/exe by itself */
	bool needs_guard;	    /* resident code may have to stay: guard_find_need() */
	bool is_traced;		    /* events are written, for --trace or a story */
	bool is_watched;	    /* the program is a child of the loader, which reports */
	/* The files that are written, where the options name one. */
	struct output_file statistics, trace, order, record, layout, learned;
	struct placement *placement;	     /* NULL: the kernel chooses all frames */
	struct profile_place *profile_place; /* of --profile=auto; NULL: it has none */
	struct profile profile;
	bool has_profile; /* of pages: then none is hidden */
	bool learns;	  /* which files this run uses is learned from it */
	int exact;	  /* a userfaultfd for profile_learn_exactly(); negative: none */
	bool was_cold;	  /* some of the profile's files were not in memory */
};

/* The object that has a mapping at an address; the program if none has. */
const struct object *guest_object_at(const struct guest *guest, uint64_t address);

/* A mapping, and the object that it is of. */
struct mapped {
	const struct object *object;
	struct plan_mapping *mapping;
};

/* Goes on to the next mapping, from an empty `at` to the first one of the program; false after the
 * last one. */
bool guest_next_mapping(const struct guest *guest, struct mapped *at);

/* Whether pages of this mapping are placed: they need the pool's protection (UFFDIO_MOVE). */
bool guest_places(const struct guest *guest, const struct plan_mapping *mapping);

/* Bytes from which on hiding an anonymous mapping pays: more where a touch brings 2 MiB. */
uint64_t guest_least_bss(const struct guest *guest, const struct plan_mapping *mapping);

/* When huge pages come for .bss, for those who watch. */
const char *guest_huge_pages_word(const struct guest *guest);

static inline bool guest_has_interpreter(const struct guest *guest)
{
	return guest->object_count > INTERPRETER;
}

/* Where the process begins: in the interpreter, if there is one. */
static inline uint64_t guest_entry(const struct guest *guest)
{
	return guest->objects[guest->object_count - 1].plan.entry;
}

#endif
