/* The story from argv to the jump, the same for all three loaders. */
#include "loader/loader_run.h"

#include "common/page.h"
#include "common/report.h"
#include "loader/objects.h"
#include "loader/prepare/prepare.h"
#include "loader/profile/steps.h"
#include "loader/watch/watch.h"

#include <signal.h>
#include <string.h>

/*
 * Answers --help and --version. Returns true if one of them was given, with the exit status in
 * *status.
 */
static bool answer(const struct strategy *strategy, const struct options *options, int *status)
{
	if (!options->help && !options->version)
		return false;
	*status = report_written(options->help ? options_print_help(strategy)
					       : options_print_version(strategy));
	return true;
}

/*
 * Refuses to run under another lazy loader. execve resets handlers. So if there is a handler for
 * SIGSEGV already, it belongs to a lazy loader that has loaded this one. Installing another handler
 * would replace it, and this loader's own pages could not be brought in any more.
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

/* Handles --profile as early as possible, so that the disk works in the meantime. */
static bool prepare_files(struct guest *this, struct error *error)
{
	this->exact = -1;
	if (this->options.profile == NULL && this->options.learn == NULL)
		return true;
	if (!profile_read(this, error))
		return false;
	if (this->options.plan)
		return true;
	profile_read_ahead(this);
	profile_learn(this);
	return true;
}

/* Decides which part of each object is mapped where, and which pages are hidden. */
static bool make_plans(struct guest *this, struct error *error)
{
	if (!objects_plan(this, error) || !prepare_files(this, error))
		return false;
	/*
	 * execve succeeds with an entry point beyond user addresses, and the first instruction
	 * kills the process.
	 */
	if (guest_entry(this) >= USER_ADDRESS_END)
		return error_set(
		    error, EXIT_NOT_LOADABLE,
		    "begins at 0x%lx, which is no address of a program: exec starts it, and it "
		    "dies of SIGSEGV at once; build it or copy it again",
		    guest_entry(this));
	return presence_choose(this, error);
}

static void report_privileges(const struct program_file *file)
{
	if (file->sets_id)
		report_detail("is set-user-ID or set-group-ID: only exec can give that privilege");
}

/* Whether the loader has to stay, to read events or to report the end of the program. */
static void find_watchers(struct guest *this)
{
	const struct options *options = &this->options;

	this->is_traced = options->trace != NULL || (options->explain != EXPLAIN_NOTHING &&
						     this->strategy->default_policy != NULL);
	this->is_watched = this->is_traced || options->statistics || options->order != NULL ||
			   options->record != NULL || options->layout != NULL ||
			   options->learn != NULL;
}

/* Reports the end of a program that was watched. */
static void report_end(const struct guest *this, const struct held *held,
		       const struct rusage *usage, int status)
{
	watch_take_counts(this, held);
	if (this->options.order != NULL)
		order_write(this);
	if (this->options.record != NULL)
		record_write(this, held);
	if (this->options.statistics)
		statistics_report(this, held, usage, status);
	if (this->options.layout != NULL)
		layout_write(this, held);
	profile_learn_end(this, held);
}

/*
 * Starts a separate process for a program that is watched. From here on the caller is that process.
 */
static bool prepare_to_watch(struct guest *this, struct error *error)
{
	static const struct supervise_reports reports = {profile_learn_end, report_end};

	if (!this->is_watched)
		return true;
	return record_prepare(this, error) && outputs_open(this, error) &&
	       trace_prepare(this, error) && order_read(this, error) &&
	       supervise(this, &reports, error);
}

/* Prepares what resident code works with: guard, first thread, pager, departure. */
static bool prepare_resident(const struct guest *this, struct error *error)
{
	struct guard *guard = &resident_guard;
	struct launch *launch = &resident_launch;

	launch_function = launch_program;
	return guard_prepare(this, guard, error) &&
	       guard_prepare_thread(this, guard, &resident_threads, &launch->first, error) &&
	       pager_prepare(this, guard->active, &resident_pager, error) &&
	       departure_prepare(this, guard->active, launch, error);
}

/* Does everything that can fail, up to the commit point. */
static bool prepare(struct guest *this, char **argv, char **envp, struct error *error)
{
	if (!process_start_read(&this->start, argv, envp, error) ||
	    !refuse_nesting(this->strategy, error) || !objects_read(this, error) ||
	    !make_plans(this, error))
		return false;
	if (this->options.plan)
		return true;
	report_privileges(&this->objects[PROGRAM].file);
	/* Resident code is needed this early: the watching loader calls resident functions, too. */
	if (!memory_suffices(this, error) || !departure_fill_area(this, &resident_launch, error) ||
	    !prepare_to_watch(this, error) || !objects_map(this, error))
		return false;
	explain(this, STORY_MAPPINGS);
	profile_learn_exactly(this);
	profile_apply(this);
	if (!placement_prepare(this, error) || !order_prepare(this, error))
		return false;
	this->changes_executable = guard_may_change_executable();
	this->needs_guard = guard_find_need(this);
	if (!prepare_resident(this, error))
		return false;
	objects_finish(this);
	explain(this, STORY_STACK);
	explain(this, STORY_JUMP);
	profile_learn_begin(this);
	return !this->is_watched || supervise_begin(this, error);
}

int loader_run(const struct strategy *strategy, int argc, char **argv, char **envp)
{
	/*
	 * The guest is on the stack, whose pages are in memory already: the heap would cost a page
	 * fault.
	 */
	struct guest guest = {.strategy = strategy};
	struct error error;
	int status;

	report_begin(strategy->name, NULL, false);
	if (!options_parse(strategy, argc, argv, &guest.options, &error))
		return report_error(&error);
	if (answer(strategy, &guest.options, &status))
		return status;
	guest.name = guest.options.program[0];
	report_begin(strategy->name, guest.name, guest.options.verbose);
	find_watchers(&guest);
	if (!prepare(&guest, argv, envp, &error))
		return report_error(&error);
	if (guest.options.plan)
		return report_written(plan_print(&guest));

	/*
	 * The commit point: from here on no function returns an error. One thing can still fail:
	 * only the kernel knows whether a handler can be installed. If not, the loader prints a
	 * sentence, and the program has not started.
	 */
	process_take_name(guest.path);
	entry_depart();
}
