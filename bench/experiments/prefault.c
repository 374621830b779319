/*
 * Experiment: how pages of anonymous memory come, on demand or before they are needed, and what
 * each way costs. A loop accesses every page once, after the call that sets the memory up.
 */
#include "bench/experiments/results.h"
#include "bench/experiments/prefault_way.h"

#include <math.h>
#include <sys/mman.h>

#define TEBIBYTE ((size_t)1 << 40)

#define READING "One access a page, reading"
#define WRITING "One access a page, writing"

#define PLAIN	 "plain mmap"
#define POPULATE "reservation, MAP_POPULATE"
#define LOCKED	 "reservation, MAP_LOCKED"
#define MLOCK	 "mlock"
#define ARENA	 "arena of objects"
#define PREFAULT "arena, prefaults 1 MiB"

#define WAY(name, does_write, ...)                                                                 \
	{                                                                                          \
		name, prefault_measure, &(const struct way){.writes = does_write, __VA_ARGS__}, 0  \
	}

/* Both tables have the same ways. A name is unique in its table only. */
#define WAYS(writes)                                                                               \
	WAY(PLAIN, writes, .reserve = 0), WAY("malloc", writes, .from_malloc = true),              \
	    WAY("1 TiB reservation, MAP_NORESERVE", writes, .reserve = TEBIBYTE),                  \
	    WAY(POPULATE, writes, .reserve = TEBIBYTE, .remap = MAP_POPULATE),                     \
	    WAY(LOCKED, writes, .reserve = TEBIBYTE, .remap = MAP_LOCKED),                         \
	    WAY(MLOCK, writes, .lock = true),                                                      \
	    WAY("MADV_POPULATE_READ", writes, .populate = MADV_POPULATE_READ),                     \
	    WAY("MADV_POPULATE_WRITE", writes, .populate = MADV_POPULATE_WRITE),                   \
	    WAY("MADV_HUGEPAGE", writes, .huge = true),                                            \
	    WAY("MADV_HUGEPAGE, MADV_POPULATE_WRITE", writes, .huge = true,                        \
		.populate = MADV_POPULATE_WRITE),                                                  \
	    WAY(ARENA, writes, .arena = ARENA_ON_DEMAND),                                          \
	    WAY(PREFAULT, writes, .arena = ARENA_PREFAULTS)

static const struct row reading_rows[] = {WAYS(false), {0}};
static const struct row writing_rows[] = {WAYS(true), {0}};

static const struct column columns[] = {PREFAULT_COLUMNS(COLUMN_IN_TABLE){"", 0}};

/*
 * The results of one table: plain mmap, and those of the source's three ways to prefault that exist
 * here.
 */
struct seen {
	double pages, plain_loop, plain_all, plain_ms;
	size_t ways;
	double most_left, least_all, most_all, most_loop_ms, most_call_ms;
};

static void see_way(const struct results *results, const char *table, const char *row,
		    struct seen *seen)
{
	double left = results_median(results, table, row, LOOP_MINOR);
	double all = left + results_median(results, table, row, SET_UP_MINOR);

	if (isnan(all))
		return;
	seen->ways++;
	seen->most_left = fmax(seen->most_left, left);
	seen->least_all = fmin(seen->least_all, all);
	seen->most_all = fmax(seen->most_all, all);
	seen->most_loop_ms = fmax(seen->most_loop_ms, results_median(results, table, row, LOOP_MS));
	seen->most_call_ms =
	    fmax(seen->most_call_ms, results_median(results, table, row, SET_UP_MS));
}

static struct seen see(const struct results *results, const char *table)
{
	struct seen seen = {
	    .pages = results_median(results, table, PLAIN, MAPPED) * 256,
	    .plain_loop = results_median(results, table, PLAIN, LOOP_MINOR),
	    .plain_ms = results_median(results, table, PLAIN, LOOP_MS),
	    .least_all = INFINITY,
	};

	seen.plain_all = seen.plain_loop + results_median(results, table, PLAIN, SET_UP_MINOR);
	see_way(results, table, POPULATE, &seen);
	see_way(results, table, LOCKED, &seen);
	see_way(results, table, MLOCK, &seen);
	return seen;
}

/* Equal but for a few faults of the program itself. */
static bool about(double a, double b)
{
	return fabs(a - b) <= 8 + b / 100;
}

/* The source's results for one table. */
struct verdict {
	bool on_demand, moved, same_count, halved;
};

static struct verdict judge(const struct seen *seen)
{
	return (struct verdict){
	    .on_demand = about(seen->plain_loop, seen->pages),
	    .moved = about(seen->most_left, 0),
	    .same_count =
		about(seen->least_all, seen->plain_all) && about(seen->most_all, seen->plain_all),
	    .halved = seen->most_loop_ms <= seen->plain_ms / 2,
	};
}

enum { STATEMENTS = 4 };

static size_t count_true(struct verdict verdict)
{
	return (size_t)verdict.on_demand + verdict.moved + verdict.same_count + verdict.halved;
}

static void tell(const struct seen *seen, const char *how, FILE *out)
{
	struct verdict verdict = judge(seen);

	fprintf(out, "%s %.0f pages, plain mmap %s (%.0f minor faults and %.2f ms in the loop); ",
		how, seen->pages,
		verdict.on_demand ? "faults once a page" : "does not fault once a page",
		seen->plain_loop, seen->plain_ms);
	fprintf(out,
		"prefaulting, in %zu of 3 ways, %s (at most %.0f stay), takes up to %.2f ms in the "
		"call, %s the loop's time (%.2f ms at most), and the count of minor faults %s "
		"(%.0f",
		seen->ways,
		verdict.moved ? "moves the faults into the call" : "leaves faults in the loop",
		seen->most_left, seen->most_call_ms,
		verdict.halved ? "cuts to a half or less" : "does not halve", seen->most_loop_ms,
		verdict.same_count ? "stays the same" : "does not stay the same", seen->least_all);
	if (seen->most_all > seen->least_all)
		fprintf(out, " to %.0f", seen->most_all);
	fprintf(out, " beside %.0f); ", seen->plain_all);
}

/* Prints the use that the source suggests, which is not part of the verdict. */
static void tell_arena(const struct results *results, FILE *out)
{
	double without = results_median(results, WRITING, ARENA, NS_A_PAGE);
	double with = results_median(results, WRITING, PREFAULT, NS_A_PAGE);

	if (isnan(with) || isnan(without))
		fprintf(out, "of the arena nothing can be said (medians).");
	else
		fprintf(out,
			"an arena that prefaults a megabyte at a time takes %.0f ns a page, one "
			"that does not %.0f (medians).",
			with, without);
}

static void holds(const struct results *results, FILE *out)
{
	struct seen reading = see(results, READING), writing = see(results, WRITING);
	size_t so;

	if (isnan(reading.plain_all + reading.pages + writing.plain_all + writing.pages)) {
		fprintf(out, "It cannot be said: plain mmap could not be measured.");
		return;
	}
	if (reading.ways == 0 || writing.ways == 0) {
		fprintf(out, "It cannot be said: no way to prefault could be measured.");
		return;
	}
	so = count_true(judge(&reading)) + count_true(judge(&writing));
	fprintf(out, "%s: ", results_word(so, 2 * STATEMENTS, 2 * STATEMENTS));
	tell(&reading, "reading", out);
	tell(&writing, "writing", out);
	tell_arena(results, out);
}

const struct experiment experiment = {
    .name = "prefault",
    .summary = "Pages on demand, or all at once before they are needed: what moves where.",
    .found = "with 4 GiB, Linux gives pages on demand however they are mapped, without "
	     "MAP_NORESERVE too (one minor fault a page, 1048576 in all, with 0.44 s of system "
	     "time to read and 1.05 s to write), while MAP_POPULATE, MAP_LOCKED and mlock move "
	     "that cost (about 1.0 s) into one call and cut the loop's user time from about 70 to "
	     "11 ms, with as many minor faults as before.",
    /* User time is so short that few ticks fall in it: their mean says more than their median. */
    .tables =
	{
	    {READING, columns, reading_rows, SHOW_MEAN_AND_DEVIATION},
	    {WRITING, columns, writing_rows, SHOW_MEAN_AND_DEVIATION},
	},
    .default_mib = 256,
    .default_rounds = 5,
    .holds = holds,
};
