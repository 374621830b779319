/*
 * Experiment: does it matter on which frames a program's data is? A Fourier transform over two
 * global arrays runs under all_at_once_loader, with one strategy of placement or another; each run
 * of it is one round of a row.
 */
#include "bench/experiments/frames.h"
#include "bench/experiments/results.h"
#include "bench/shared/statistics.h"

#include <math.h>
#include <stdlib.h>

#define TABLE	     "A transform, by strategy"
#define NO_STRATEGY  "no strategy"
#define COLORING_ALL "coloring, all pages"
#define HOPPING_ALL  "bin hopping, all pages"
#define ARRAYS(how)  "--place-hint=real:" how, "--place-hint=imaginary:" how

#define WAY(name, ...)                                                                             \
	{                                                                                          \
		name, frames_measure, &(const struct frames_way){{__VA_ARGS__}}, 0                 \
	}

static const struct row rows[] = {
    WAY(NO_STRATEGY, "--placement=none"),
    WAY("coloring, the arrays", ARRAYS("coloring")),
    WAY("bin hopping, the arrays", ARRAYS("bin-hopping")),
    WAY(COLORING_ALL, "--placement=coloring"),
    WAY(HOPPING_ALL, "--placement=bin-hopping"),
    WAY("coloring, 512 bins, all pages", "--placement=coloring:512"),
    WAY("a fourth of the colors, all pages", "--placement=modulo:4,0"),
    {0},
};

static const struct column columns[] = {
    [LEAST] = {"least Mcycles", 2},
    [MEAN] = {"mean Mcycles", 2},
    [DEVIATION] = {"deviation Mcycles", 2},
    [L1D_MISSES] = {"L1D read misses, thousands", 0},
    [DTLB_MISSES] = {"dTLB read misses, thousands", 0},
    {"", 0},
};

/* The compared values of a row: its best run, and how much the means of its runs differ. */
struct spread {
	double least, deviation;
};

static struct spread spread_of(const struct results *results, size_t row)
{
	const double *values = results_values(results, row, LEAST);
	struct spread spread = {.least = INFINITY};

	for (size_t i = 0; i < results->rounds; i++)
		spread.least = fmin(spread.least, values[i]);
	values = results_values(results, row, MEAN);
	spread.deviation = statistics_deviation(values, results->rounds);
	return spread;
}

/* The limits for the source's two findings: a smaller difference is none. */
#define FASTER	 0.995
#define STEADIER 0.75

/* The rows that a verdict compares. CONTROL must be slower: it has a fourth of the cache. */
enum { NONE, COLORING = 3, CONTROL = 6 };

static void holds(const struct results *results, FILE *out)
{
	struct spread none = spread_of(results, NONE), coloring = spread_of(results, COLORING);
	double confined = spread_of(results, CONTROL).least;
	bool faster = coloring.least < FASTER * none.least;
	bool steadier = coloring.deviation < STEADIER * none.deviation;

	if (isnan(none.deviation + coloring.deviation) || isinf(none.least + coloring.least)) {
		fprintf(out, "It cannot be said: it takes two runs and more of every strategy.");
		return;
	}
	fprintf(out,
		"%s: coloring for all pages has its best iteration at %.2fM cycles, no strategy at "
		"%.2fM; the means of %zu runs deviate by %.2fM, without a strategy by %.2fM. ",
		results_word((size_t)faster + steadier, 2, 2), coloring.least, none.least,
		results->rounds, coloring.deviation, none.deviation);
	fprintf(out,
		"On a fourth of the colors the best is %.2fM: %s. In a virtual machine frames are "
		"the guest's, and which lines of a cache they compete for only the host knows.",
		confined,
		confined > none.least / FASTER ? "colors count here"
					       : "colors of frames do not count here");
}

const struct experiment experiment = {
    .name = "frames",
    .summary = "Which frames a program's data is on: time, and spread between runs.",
    .found =
	"with 512 colors, 40 runs of 3 + 15 iterations, coloring for all pages had the best "
	"minimum (281.8M cycles, 285.7M without a strategy) and much less spread between runs.",
    .tables = {{TABLE, columns, rows, SHOW_MEAN_AND_DEVIATION}},
    .default_mib = 2,
    .default_rounds = 40,
    .holds = holds,
};
