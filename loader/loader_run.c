/* The story from argv to the jump, the same for all three loaders. */
#include "loader/loader_run.h"

#include "common/elf_check.h"
#include "common/host_heap.h"
#include "common/page.h"
#include "common/report.h"
#include "common/segment_mapper.h"
#include "loader/advice.h"
#include "loader/guest.h"
#include "loader/plan_print.h"
#include "loader/prepare/departure.h"
#include "loader/prepare/guard_prepare.h"
#include "loader/prepare/pager_prepare.h"
#include "loader/profile/profile_apply.h"
#include "loader/profile/record.h"
#include "loader/resident/launch.h"
#include "loader/resident/pager/pages.h"
#include "loader/watch/explain.h"
#include "loader/watch/outputs.h"
#include "loader/watch/supervise.h"
#include "loader/watch/trace_reader.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --help and --version: true if one of them was asked for, with the status in *status. */
static bool answer(const struct strategy *strategy, const struct options *options, int *status)
{
	if (!options->help && !options->version)
		return false;
	*status = (options->help ? options_print_help(strategy) : options_print_version(strategy))
		      ? 0
		      : EXIT_OURS;
	return true;
}

/*
 * execve resets handlers. So a handler for SIGSEGV that is there already belongs to a lazy loader
 * which has loaded this one. Ours would replace it, and then nobody could bring in our own pages.
 */
static bool refuse_nesting(const struct strategy *strategy, struct error *error)
{
	struct sigaction action;

	if (strategy->default_policy == NULL)
		return true; /* this loader installs no handler */
	if (sigaction(SIGSEGV, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
	    action.sa_handler != SIG_IGN)
		return error_set(error, EXIT_OURS,
				 "this loader is itself being paged in by a loader; start it "
				 "directly or under all_at_once_loader");
	return true;
}

/* Hiding a short mapping costs more than it can gain. With --engine it is hidden all the same. */
static bool is_too_small(const struct guest *this, const struct plan_mapping *mapping)
{
	return !mapping->from_file && this->options.engine == NULL &&
	       mapping->length < this->strategy->least_bss_bytes;
}

/*
 * --record hides every page, to see each first touch. --profile hides none: it brings in the pages
 * that the profile names before entry, and leaves the others to the kernel's paging.
 */
static enum presence wanted_presence(const struct guest *this, const struct plan_mapping *mapping)
{
	if (this->options.record != NULL)
		return PRESENCE_HIDDEN;
	if (this->has_profile || is_too_small(this, mapping))
		return PRESENCE_NATIVE;
	return this->strategy->presence(mapping);
}

/* With --guard=none pages are hidden whatever becomes of calls that are given one. */
static bool may_hide(const struct guest *this, struct error *obstacle)
{
	return (this->options.guard == CHOOSE_NONE && !this->start.under_valgrind) ||
	       guard_can_intercept(this, obstacle);
}

/*
 * Where hiding would harm the program nothing is hidden, and a warning says why. False, with the
 * reason in *error, where the command line cannot do without: --guard=require, --record.
 */
static bool choose_presence(struct guest *this, struct error *error)
{
	struct load_plan *plan = &this->plan;
	unsigned wanted = 0, most = PAGER_REGIONS_MAX;

	for (unsigned i = 0; i < plan->count; i++) {
		plan->mappings[i].presence = wanted_presence(this, &plan->mappings[i]);
		wanted += plan->mappings[i].presence == PRESENCE_HIDDEN;
	}
	if (wanted > 0 && !may_hide(this, error)) {
		if (this->options.guard == CHOOSE_REQUIRE || this->options.record != NULL)
			return false;
		report_warning("everything is left to the kernel's paging: %s", error->text);
		most = 0;
	}
	this->hides_pages = wanted > 0 && most > 0;
	for (unsigned i = 0, hidden = 0; i < plan->count; i++)
		if (plan->mappings[i].presence == PRESENCE_HIDDEN && ++hidden > most)
			plan->mappings[i].presence = PRESENCE_NATIVE;
	if (wanted > most && most > 0)
		report_detail("%u of %u mappings are left to the kernel's paging: at most %u can "
			      "be hidden",
			      wanted - most, plan->count, most);
	return true;
}

/* From the open file to a plan, with room reserved for a position-independent program. */
static bool make_plan(struct guest *this, struct error *error)
{
	struct load_span span = load_span_of(&this->image);
	uint64_t load_bias = 0;

	if (this->image.type != ET_EXEC && !this->options.plan &&
	    !segments_reserve(&span, &load_bias, error))
		return false;
	if (!load_plan_make(&this->image, load_bias, &this->plan, error) ||
	    !profile_read(this, error))
		return false;
	/* execve succeeds with such an entry point, and the first instruction kills the process. */
	if (this->plan.entry >= USER_ADDRESS_END)
		return error_set(
		    error, EXIT_NOT_LOADABLE,
		    "begins at 0x%lx, which is no address of a program: " ERROR_DAMAGED,
		    this->plan.entry);
	return choose_presence(this, error);
}

static void report_privileges(const struct program_file *file)
{
	if (file->sets_id)
		report_detail("is set-user-ID or set-group-ID: only exec can give that privilege");
}

/* Whether the loader has to stay: to read events, or to report when the program ends. */
static void find_watchers(struct guest *this)
{
	const struct options *options = &this->options;

	this->is_traced = options->trace != NULL || (options->explain != EXPLAIN_NOTHING &&
						     this->strategy->default_policy != NULL);
	this->is_watched = this->is_traced || options->statistics || options->record != NULL;
}

/*
 * A loader that stays copies names from its stack, which becomes the program's. It also opens its
 * output files now, because after the run it would be too late to find out that it cannot.
 */
static bool prepare_to_watch(struct guest *this, struct error *error)
{
	const char *path = this->options.statistics_file;
	int file;

	if (!this->is_watched)
		return true;
	this->name = strdup(this->name);
	report_begin(this->strategy->name, this->name, this->options.verbose);
	if (!supervise_prepare(error) || !outputs_check(this, error) ||
	    !record_prepare(this, error) || !trace_prepare(this, error))
		return false;
	if (path == NULL)
		return true;
	this->options.statistics_file = strdup(path);
	file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (file < 0)
		return error_set(error, EXIT_OURS, "the statistics cannot be written to %s: %s; %s",
				 path, strerror(errno), error_file_remedy(errno));
	close(file);
	return true;
}

/* Opens the program, reads its headers and checks them. */
static bool read_program(struct guest *this, struct error *error)
{
	if (!program_file_open(this->options.program[0], &this->file, error) ||
	    !elf_image_read(this->file.descriptor, this->file.size, &this->image, error))
		return advise(this, error);
	if (this->options.explain != EXPLAIN_NOTHING || this->options.trace != NULL)
		elf_symbols_read(this->file.descriptor, &this->symbols);
	explain_headers(this);
	return elf_check(&this->image, error) || advise(this, error);
}

/* Prepares what resident code works with: guard, first thread, pager, departure. */
static bool prepare_resident(const struct guest *this, struct error *error)
{
	struct guard *guard = &resident_guard;
	struct launch *launch = &resident_launch;

	return departure_fill_area(this->needs_guard || this->options.pause, error) &&
	       guard_prepare(this, guard, error) &&
	       guard_prepare_thread(this, guard, &resident_threads, &launch->first, error) &&
	       pager_prepare(this, guard->active, &resident_pager, error) &&
	       departure_prepare(this, guard->active, launch, error);
}

/* Everything that can fail, up to the commit point. */
static bool prepare(struct guest *this, struct error *error)
{
	if (!process_start_read(this->start.envp, &this->start, error) ||
	    !refuse_nesting(this->strategy, error) || !read_program(this, error) ||
	    !make_plan(this, error))
		return false;
	if (this->options.plan)
		return true;
	report_privileges(&this->file);
	if (!prepare_to_watch(this, error) ||
	    !segments_map(&this->plan, this->file.descriptor, error))
		return false;
	explain_mappings(this);
	profile_apply(this);
	this->needs_guard = guard_find_need(this);
	if (!prepare_resident(this, error))
		return false;
	segments_unmap_gaps(&this->plan);
	explain_stack(this);
	explain_jump(this);
	return true;
}

int loader_run(const struct strategy *strategy, int argc, char **argv, char **envp)
{
	/* On the stack, whose pages are in memory already: the heap would cost a page fault. */
	struct guest guest = {.strategy = strategy, .start.envp = envp};
	struct error error;
	int status;

	host_heap_prefault(resident_launch_end);
	report_begin(strategy->name, NULL, false);
	if (!options_parse(strategy, argc, argv, &guest.options, &error))
		return report_error(&error);
	if (answer(strategy, &guest.options, &status))
		return status;
	guest.name = guest.options.program[0];
	report_begin(strategy->name, guest.name, guest.options.verbose);
	find_watchers(&guest);
	if (!prepare(&guest, &error))
		return report_error(&error);
	if (guest.options.plan) {
		struct load_span span = load_span_of(&guest.image);

		return plan_print(&guest.plan, &span) ? 0 : EXIT_OURS;
	}

	/*
	 * The commit point: nothing returns an error from here on, but for two things that only
	 * the kernel can tell: there is no process for a program that is watched, or no handler
	 * can be installed. Then the loader says so, and the program has not begun.
	 */
	process_take_name(guest.file.path);
	if (guest.is_watched)
		supervise(&guest, &resident_launch.watched);
	entry_depart();
}
