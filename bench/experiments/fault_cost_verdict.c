/*
 * Whether the earlier results hold here. Machines differ by a factor, so ratios are compared, each
 * with a margin around the earlier one.
 */
#include "bench/experiments/fault_cost.h"

#include <math.h>

/* A guarded page cost 1.2 to 2.0 times a signal and the kernel's fault together. */
#define GUARD_LEAST 1.0
#define GUARD_MOST  2.5
/* In batches of 64 it cost 0.32 to 0.37 of that. */
#define BATCH_MOST 0.5
/* An allowed call took 1.6 to 2.5 times a plain one, a dispatched one 18 to 33 times. */
#define ALLOWED_MOST	 3.0
#define DISPATCHED_LEAST 10.0

struct figures {
	double kernel, signal, guard, guard_many; /* ns a page */
	double plain, selector, range, dispatched;
};

/* All that a handler can do to bring a page in. */
static const char *const handlers[] = {
    ROW_MMAP,		ROW_MMAP_POPULATE, ROW_MPROTECT,    ROW_PERMIT_POPULATE, ROW_GUARD,
    ROW_GUARD_POPULATE, ROW_UFFD_SIGBUS,   ROW_UFFD_THREAD, ROW_UFFD_ONE_CPU};

static double page(const struct results *results, const char *row, enum fault_cost_column column)
{
	return results_median(results, PAGES_TABLE, row, column);
}

static double call(const struct results *results, const char *row)
{
	return results_median(results, CALLS_TABLE, row, 0);
}

static struct figures figures_of(const struct results *results)
{
	return (struct figures){
	    .kernel = page(results, ROW_KERNEL, ONE_AT_A_TIME),
	    .signal = page(results, ROW_SIGNAL, ONE_AT_A_TIME),
	    .guard = page(results, ROW_GUARD, ONE_AT_A_TIME),
	    .guard_many = page(results, ROW_GUARD, MANY_AT_A_TIME),
	    .plain = call(results, ROW_PLAIN),
	    .selector = call(results, ROW_ALLOWED_SELECTOR),
	    .range = call(results, ROW_ALLOWED_RANGE),
	    .dispatched = call(results, ROW_DISPATCHED),
	};
}

/* A ratio that could not be measured is neither kept nor broken. */
static void count(double ratio, double least, double most, unsigned int *known, unsigned int *kept)
{
	if (isnan(ratio))
		return;
	*known += 1;
	*kept += ratio >= least && ratio <= most;
}

static const char *judge(const struct figures *f)
{
	unsigned int known = 0, kept = 0;

	count(f->guard / (f->signal + f->kernel), GUARD_LEAST, GUARD_MOST, &known, &kept);
	count(f->guard_many / f->guard, 0, BATCH_MOST, &known, &kept);
	count(f->selector / f->plain, 0, ALLOWED_MOST, &known, &kept);
	count(f->range / f->plain, 0, ALLOWED_MOST, &known, &kept);
	count(f->dispatched / f->plain, DISPATCHED_LEAST, INFINITY, &known, &kept);
	return results_word(kept, known, 5);
}

static void print_guard(const struct figures *f, FILE *out)
{
	double parts = f->signal + f->kernel;

	if (isnan(f->guard)) {
		fprintf(out, "guarded pages could not be measured");
		return;
	}
	fprintf(out, "a guarded page costs %.1f us one at a time", f->guard / 1000);
	if (!isnan(parts))
		fprintf(out, ", %.2f times a signal and the kernel's own fault (%.1f and %.1f us)",
			f->guard / parts, f->signal / 1000, f->kernel / 1000);
	if (!isnan(f->guard_many))
		fprintf(out, ", and %.1f us in batches of 64", f->guard_many / 1000);
}

static void print_cheapest(const struct results *results, enum fault_cost_column column,
			   const char *when, FILE *out)
{
	const char *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
		double cost = page(results, handlers[i], column);

		if (!isnan(cost) && cost < least) {
			least = cost;
			best = handlers[i];
		}
	}
	if (best != NULL)
		fprintf(out, "; the cheapest handler %s is %s with %.1f us a page", when, best,
			least / 1000);
}

static void print_calls(const struct figures *f, FILE *out)
{
	if (isnan(f->plain) || isnan(f->selector) || isnan(f->range) || isnan(f->dispatched)) {
		fprintf(out, "; dispatch could not be measured.");
		return;
	}
	fprintf(out,
		"; an armed dispatch adds %.2f us (selector) or %.2f us (address) to a call of "
		"%.2f us that it allows, and a dispatched call takes %.1f us, %.0f times the plain "
		"one.",
		(f->selector - f->plain) / 1000, (f->range - f->plain) / 1000, f->plain / 1000,
		f->dispatched / 1000, f->dispatched / f->plain);
}

void fault_cost_verdict(const struct results *results, FILE *out)
{
	struct figures figures = figures_of(results);

	fprintf(out, "%s: ", judge(&figures));
	print_guard(&figures, out);
	print_cheapest(results, ONE_AT_A_TIME, "one at a time", out);
	print_cheapest(results, MANY_AT_A_TIME, "in batches of 64", out);
	print_calls(&figures, out);
}
