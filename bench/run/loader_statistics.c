/* The statistics of a run that a loader writes to the file of --stats=FILE. */
#include "bench/run/loader_statistics.h"

#include <jansson.h>
#include <stddef.h>

/* The loader's names for what the bench calls otherwise. */
static const struct {
	enum measure measure;
	const char *name;
} numbers[] = {
    {MEASURE_faults_served, "faults"},	      {MEASURE_pages_ahead, "ahead_pages"},
    {MEASURE_pages_ahead_used, "ahead_used"}, {MEASURE_handler_ns, "handler_ns"},
    {MEASURE_calls_intercepted, "calls"},     {MEASURE_pages_for_calls, "call_pages"},
};

void loader_statistics_read(const char *path, struct run_sample *sample)
{
	json_t *statistics = json_load_file(path, 0, NULL);

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const json_t *value = json_object_get(statistics, numbers[i].name);

		if (json_is_integer(value))
			sample_set(sample, numbers[i].measure, json_integer_value(value));
		else
			sample->absent[numbers[i].measure] = ABSENT_NOT_WRITTEN;
	}
	json_decref(statistics);
}
