/* The results of a replay: a table for people, JSON for programs. */
#pragma once

#include "bench/replay/simulate.h"
#include "loader/cli/policies.h"

#include <jansson.h>
#include <stdio.h>

/* A policy and its parameter. */
struct chosen_policy {
	const struct policy *policy;
	uint64_t pages;
};

/* One recording with every policy chosen; results[i] is that of policies[i]. */
struct replay {
	const char *path;
	const struct recording *recording;
	const struct chosen_policy *policies;
	struct simulation_result *results;
	size_t count; /* at least 1 */
};

void report_print(FILE *out, const struct replay *replay);

/* New objects; NULL without memory. */
json_t *report_json(const struct replay *replay);
json_t *report_costs_json(const struct costs *costs);
