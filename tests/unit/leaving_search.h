/* All states of the model that can be reached, shortest ways first. */
#pragma once

#include "tests/unit/leaving_model.h"

struct search_result {
	unsigned states;
	const char *wrong; /* NULL: nothing */
};

/* `tells`: a way to what is wrong is written to standard error. */
struct search_result search_scenario(const struct model_scenario *scenario,
				     enum model_mutation mutation, bool tells);
