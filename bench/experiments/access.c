/*
 * How much the order of memory accesses, the kind of mapping, populating it beforehand and a busy
 * neighbor matter. The buffer is walked in working sets of 512 cache lines, each 16 times, one
 * write to seven reads.
 *
 * The source counted the starts of working sets in bytes where lines were meant, as its author
 * notes: they covered 1/64 of the buffer, and each overlapped the one before. Here they cover all
 * of it; two rows repeat the source's walk. Files are fresh, so their content is holes.
 *
 * For the maps of each row's process see access_maps.c.
 */
#include "bench/experiments/access.h"
#include "bench/experiments/results.h"

#include <math.h>
#include <stdlib.h>

#define ALONE "Alone: a working set for every 8192 bytes of the buffer (in the source, 1024)"
#define BESIDE                                                                                     \
	"Beside a memory hog, whose area is bounded: 4 times the buffer, and at most 2 GiB and "   \
	"half of what is available (in the source, all of RAM)"

static const struct column columns[] = {ACCESS_COLUMNS(COLUMN_IN_TABLE){"", 0}};

/* clang-format off */
#define ROW(title, ...)                                                                            \
	{title, access_measure, &(const struct access_case){.name = (title), __VA_ARGS__}, 0}
#define BOTH_ORDERS(title, ...)                                                                    \
	ROW(title ", sequential", .order = ACCESS_SEQUENTIAL, __VA_ARGS__),                        \
	ROW(title ", random", .order = ACCESS_RANDOM, __VA_ARGS__)
#define ALL_BEFORE(title, last, kind)                                                              \
	BOTH_ORDERS(title, .backing = (kind)),                                                     \
	BOTH_ORDERS(title ", populated", .backing = (kind), .before = ACCESS_POPULATE),            \
	BOTH_ORDERS(title ", " last, .backing = (kind), .before = ACCESS_WRITE)

static const struct row alone[] = {
    ALL_BEFORE("anonymous", "memset", ACCESS_ANONYMOUS),
    ALL_BEFORE("private file", "memset", ACCESS_PRIVATE_FILE),
    ALL_BEFORE("shared file", "memset and msync", ACCESS_SHARED_FILE),
    BOTH_ORDERS("anonymous, 1/64 of it", .in_bytes = true),
    {NULL, NULL, NULL, 0},
};

static const struct row beside[] = {
    BOTH_ORDERS("anonymous", .beside_hog = true),
    BOTH_ORDERS("shared file", .backing = ACCESS_SHARED_FILE, .beside_hog = true),
    {NULL, NULL, NULL, 0},
};
/* clang-format on */

/* How many parts of the finding hold, and where to say so. */
struct verdict {
	const struct results *results;
	FILE *out;
	unsigned held, failed;
};

static double alone_median(const struct verdict *verdict, const char *row,
			   enum access_column column)
{
	return results_median(verdict->results, ALONE, row, column);
}

/* How many times as large as in sequential access a column is in random access. */
static double ratio(const struct verdict *verdict, const char *random, const char *sequential,
		    enum access_column column)
{
	return alone_median(verdict, random, column) / alone_median(verdict, sequential, column);
}

/*
 * Counts one part of the finding. False when the part was not measured, so that its figures say
 * nothing.
 */
static bool decide(struct verdict *verdict, double figures, bool held, const char *what)
{
	if (isnan(figures)) {
		fprintf(verdict->out, "%s not measured", what);
		return false;
	}
	if (held)
		verdict->held++;
	else
		verdict->failed++;
	return true;
}

/*
 * Random access must be slower by at least a tenth, with page faults, as in the source. The row
 * with the populated area is only printed.
 */
static void say_order(struct verdict *verdict)
{
	double whole = ratio(verdict, "anonymous, random", "anonymous, sequential", ACCESS_TIME);
	double part = ratio(verdict, "anonymous, 1/64 of it, random",
			    "anonymous, 1/64 of it, sequential", ACCESS_TIME);
	double populated = ratio(verdict, "anonymous, populated, random",
				 "anonymous, populated, sequential", ACCESS_TIME);

	if (decide(verdict, whole + part + populated, whole >= 1.1 && part >= 1.1, "the order was"))
		fprintf(verdict->out,
			"random access takes %.2f times as long as sequential over all of the "
			"buffer, %.2f times when populated, and %.2f times over the source's 1/64 "
			"of it",
			whole, populated, part);
}

/* Random access has more misses of each kind, by half at least. */
static void say_misses(struct verdict *verdict)
{
	static const enum access_column kinds[] = {ACCESS_L1D_MISS_RATE, ACCESS_DTLB_READ_MISSES,
						   ACCESS_DTLB_WRITE_MISSES};
	double times[3];

	for (size_t i = 0; i < 3; i++)
		times[i] = ratio(verdict, "anonymous, random", "anonymous, sequential", kinds[i]);
	if (decide(verdict, times[0] + times[1] + times[2],
		   times[0] >= 1.5 && times[1] >= 1.5 && times[2] >= 1.5,
		   "misses of cache and TLB were"))
		fprintf(verdict->out,
			"it has %.1f times the L1D read-miss rate, %.1f times the dTLB read misses "
			"and %.1f times the write misses",
			times[0], times[1], times[2]);
}

/*
 * A shared file shows half of the buffer at least as blocks out, a private one not a hundredth of
 * that.
 */
static void say_blocks(struct verdict *verdict)
{
	double shared = alone_median(verdict, "shared file, sequential", ACCESS_BLOCKS_OUT) / 2048;
	double private =
	    alone_median(verdict, "private file, sequential", ACCESS_BLOCKS_OUT) / 2048;
	double buffer = (double)(verdict->results->settings.bytes >> 20);

	if (decide(verdict, shared + private, shared >= buffer / 2 && private < shared / 100,
		   "blocks out were"))
		fprintf(verdict->out,
			"a shared file shows %.1f MiB of blocks out, and a private one %.1f MiB",
			shared, private);
}

/*
 * MAP_POPULATE moves the memory into set-up: nearly all is there after it, and less than half
 * without.
 */
static void say_populated(struct verdict *verdict)
{
	double populated =
	    alone_median(verdict, "anonymous, populated, sequential", ACCESS_SETUP_MAXRSS) /
	    alone_median(verdict, "anonymous, populated, sequential", ACCESS_MAXRSS);
	double plain = alone_median(verdict, "anonymous, sequential", ACCESS_SETUP_MAXRSS) /
		       alone_median(verdict, "anonymous, sequential", ACCESS_MAXRSS);

	if (decide(verdict, populated + plain, populated >= 0.95 && plain < 0.5, "maxrss was"))
		fprintf(verdict->out,
			"MAP_POPULATE puts %.0f %% of maxrss into set-up, where it is %.0f %% "
			"without",
			populated * 100, plain * 100);
}

/* The hog adds major faults that the program has not alone, and a tenth of the time at least. */
static void say_hog(struct verdict *verdict)
{
	double faults_alone = alone_median(verdict, "anonymous, random", ACCESS_MAJOR);
	double faults = results_median(verdict->results, BESIDE, "anonymous, random", ACCESS_MAJOR);
	double times = results_median(verdict->results, BESIDE, "anonymous, random", ACCESS_TIME) /
		       alone_median(verdict, "anonymous, random", ACCESS_TIME);

	if (decide(verdict, faults_alone + faults + times, faults > faults_alone && times >= 1.1,
		   "the hog was"))
		fprintf(verdict->out,
			"the hog, bounded here, %s major faults (%.0f, and %.0f alone) and makes "
			"random access take %.2f times as long",
			faults > faults_alone ? "adds" : "adds no", faults, faults_alone, times);
}

static void holds(const struct results *results, FILE *out)
{
	static void (*const parts[])(struct verdict *) = {say_order, say_misses, say_blocks,
							  say_populated, say_hog};
	enum { COUNT = sizeof(parts) / sizeof(parts[0]) };
	char *text = NULL;
	size_t length;
	struct verdict verdict = {.results = results, .out = open_memstream(&text, &length)};

	if (verdict.out == NULL) {
		fprintf(out, "It cannot be said: out of memory.");
		return;
	}
	for (size_t i = 0; i < COUNT; i++) {
		fputs(i == 0 ? "" : "; ", verdict.out);
		parts[i](&verdict);
	}
	fclose(verdict.out);
	fprintf(out, "%s: %s.", results_word(verdict.held, verdict.held + verdict.failed, COUNT),
		text);
	free(text);
}

const struct experiment experiment = {
    .name = "access",
    .summary = "How the order of accesses, the kind of mapping and a busy neighbor cost time.",
    .found =
	"random access takes 1.46 times as long as sequential access (4.83 s, not 3.32 s), with an "
	"L1D read-miss rate of 0.110, not 0.038, 15.6 times the dTLB read misses and 23 times the "
	"write misses; shared file mappings show as blocks out; MAP_POPULATE moves all of maxrss "
	"into set-up; and pressure on memory adds major faults (16, not 0) and time (6.81 s, not "
	"4.79 s).",
    .tables =
	{
	    {ALONE, columns, alone, SHOW_MEAN_AND_DEVIATION},
	    {BESIDE, columns, beside, SHOW_MEAN_AND_DEVIATION},
	},
    .default_mib = 256,
    .default_rounds = 5,
    .holds = holds,
};
