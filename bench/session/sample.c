/* The table of measures. The launcher is linked with this file, too. */
#include "bench/session/sample.h"
#include "bench/shared/counters.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	double unit;
	enum round_kind round;
} measures[] = {
#define X(name, unit, round) [MEASURE_##name] = {#name, unit, ROUND_##round},
    SAMPLE_MEASURES(X)
#undef X
};

const char *sample_name(enum measure measure)
{
	return measures[measure].name;
}

double sample_unit(enum measure measure)
{
	return measures[measure].unit;
}

enum round_kind sample_round(enum measure measure)
{
	return measures[measure].round;
}

const char *sample_round_name(enum round_kind kind)
{
	static const char *const names[] = {
#define X(name) #name,
	    SAMPLE_ROUNDS(X)
#undef X
	};

	return names[kind];
}

const char *sample_absent_reason(int32_t absent)
{
	switch (absent) {
	case 0:
	case ABSENT_OTHER_ROUND:
	case ABSENT_NO_PROGRAM:
	case ABSENT_NATIVE:
		return NULL;
	case ABSENT_NOT_WRITTEN:
		return "the loader wrote no statistics";
	default:
		return counter_reason(absent);
	}
}

void sample_clear(struct run_sample *sample, int32_t absent)
{
	memset(sample, 0, sizeof(*sample));
	for (enum measure i = 0; i < MEASURE_COUNT; i++)
		sample->absent[i] = absent;
}

void sample_set(struct run_sample *sample, enum measure measure, int64_t value)
{
	sample->counted[measure] = value;
	sample->absent[measure] = 0;
}
