/* Any bytes given to the replay. It must make ranges that are sorted and apart. */
#include "bench/replay/recording.h"
#include "tests/fuzz/fuzz.h"

static void check_ranges(const struct recording_ranges *ranges)
{
	uint64_t least = 0;

	for (size_t i = 0; i < ranges->count; i++) {
		const struct recording_range *range = &ranges->list[i];

		check(range->pages > 0 && range->first >= least);
		check(range->first < RECORDING_PAGE_NUMBERS &&
		      range->pages <= RECORDING_PAGE_NUMBERS - range->first);
		least = range->first + range->pages;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *file = size > 0 ? fmemopen((void *)data, size, "r") : NULL;
	struct recording recording;
	struct error error;

	if (file == NULL)
		return 0;
	if (recording_read(file, "input", &recording, &error)) {
		check_ranges(&recording.runs);
		check_ranges(&recording.regions);
		for (size_t i = 0; i < recording.touch_count; i++)
			check(recording.touches[i].page < RECORDING_PAGE_NUMBERS);
		recording_free(&recording);
	} else {
		check_sentence(&error, error.status);
	}
	fclose(file);
	return 0;
}
