/* The prediction policies by name. */
#include "loader/cli/policies.h"

#include "common/similar.h"

#include <stdlib.h>
#include <string.h>

const struct policy policies[] = {
#define POLICY(...) {__VA_ARGS__},
    POLICIES(POLICY)
#undef POLICY
};

const size_t policy_count = sizeof(policies) / sizeof(policies[0]);

_Static_assert(sizeof(policies) / sizeof(policies[0]) <= SIMILAR_WORDS_MAX, "similar.h");

const struct policy *policy_that(policy_function *predict)
{
	const struct policy *policy = policies;

	while (policy->predict != predict)
		policy++;
	return policy;
}

static bool read_pages(const struct policy *policy, const char *text, uint64_t *pages,
		       struct error *error)
{
	char *end;

	*pages = strtoul(text, &end, 10);
	return (text[0] >= '0' && text[0] <= '9' && *end == '\0' && *pages >= policy->least_pages &&
		*pages <= policy->most_pages) ||
	       error_set(error, EXIT_OURS, "the policy %s takes from %lu to %lu pages, not '%.64s'",
			 policy->name, policy->least_pages, policy->most_pages, text);
}

static const struct policy *find(const char *text, size_t length, struct error *error)
{
	int choice = similar_choose(error, "--policy", text, length, POLICY_NAMES);

	return choice >= 0 ? &policies[choice] : NULL;
}

const struct policy *policy_parse(const char *text, uint64_t *pages, struct error *error)
{
	bool is_next = strncmp(text, "next-", 5) == 0 && text[5] != 'N';
	size_t length = strcspn(text, ",");
	const char *number = text + (is_next ? 4 : length);
	const struct policy *policy =
	    is_next ? policy_that(predict_next) : find(text, length, error);

	if (policy == NULL)
		return NULL;
	*pages = policy->pages;
	if (*number == '\0')
		return policy;
	if (policy->pages == 0) {
		error_set(error, EXIT_OURS, "the policy %s has no parameters: leave out %.64s",
			  policy->name, number);
		return NULL;
	}
	if (*number == ',' && strncmp(number, ",pages=", 7) != 0) {
		error_set(error, EXIT_OURS, "--policy=%.64s: the only parameter is pages=N", text);
		return NULL;
	}
	return read_pages(policy, strpbrk(number, "-=") + 1, pages, error) ? policy : NULL;
}
