/* The prediction policies by name, for the loaders and for the replay of traces. */
#pragma once

#include "common/error.h"
#include "loader/predict/predict.h"

#include <stddef.h>

struct policy {
	const char *name;
	policy_function *predict;
	/*
	 * The parameter `pages`: its default, minimum and maximum; 0: the policy has no such
	 * parameter.
	 */
	uint64_t pages, least_pages, most_pages;
};

/* The names in one string, with a space before each. */
#define POLICY_NAME(name, ...) " " name
#define POLICY_NAMES	       POLICIES(POLICY_NAME)

extern const struct policy policies[];
extern const size_t policy_count;

/* The policy with this function; every function of predict.h has a policy. */
const struct policy *policy_that(policy_function *predict);

/*
 * Reads NAME or NAME,pages=N or next-N. *pages becomes the parameter of the policy's state. Returns
 * the policy, or NULL with EXIT_OURS and a sentence that lists the policies.
 */
const struct policy *policy_parse(const char *text, uint64_t *pages, struct error *error);
