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

const struct policy *policy_that(policy_function *predict)
{
	const struct policy *policy = policies;

	while (policy->predict != predict)
		policy++;
	return policy;
}

static const struct policy *find(const char *name, size_t length)
{
	for (size_t i = 0; i < policy_count; i++)
		if (strlen(policies[i].name) == length &&
		    strncmp(policies[i].name, name, length) == 0)
			return &policies[i];
	return NULL;
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

static const struct policy *unknown(const char *text, struct error *error)
{
	const char *names[sizeof(policies) / sizeof(policies[0])];

	for (size_t i = 0; i < policy_count; i++)
		names[i] = policies[i].name;
	similar_refuse(error, "--policy", text, strcspn(text, ","), names, policy_count);
	return NULL;
}

const struct policy *policy_parse(const char *text, uint64_t *pages, struct error *error)
{
	size_t length = strcspn(text, ",");
	const struct policy *policy = find(text, length);
	const char *number = text + length;

	if (strncmp(text, "next-", 5) == 0 && text[5] != 'N') {
		policy = find("next-N", 6);
		number = text + 4;
	}
	if (policy == NULL)
		return unknown(text, error);
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
