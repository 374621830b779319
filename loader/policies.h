/* The prediction policies by name, for the loaders and for the replay of traces. */
#ifndef LOADER_POLICIES_H
#define LOADER_POLICIES_H

#include "common/error.h"
#include "loader/predict/predict.h"

#include <stddef.h>

struct policy {
	const char *name;
	policy_function *predict;
	/* What `pages` is when nobody says, and its bounds; 0: there is no such parameter. */
	uint64_t pages, least_pages, most_pages;
};

/* What there is: a name for each policy, its function, and its pages as above. */
#define POLICIES(POLICY)                                                                           \
	POLICY("none", predict_none, 0, 0, 0)                                                      \
	POLICY("counter", predict_counter, 0, 0, 0)                                                \
	POLICY("next-N", predict_next, 8, 1, 4096)                                                 \
	POLICY("block", predict_block, 64, 1, 1 << 20)                                             \
	POLICY("readahead", predict_readahead, 64, 1, 4096)                                        \
	POLICY("leap", predict_leap, 64, 1, 4096)                                                  \
	POLICY("stride", predict_stride, 64, 1, 4096)                                              \
	POLICY("adaptive", predict_adaptive, 0, 0, 0)

/* One string, with a space before each. */
#define POLICY_NAME(name, ...) " " name
#define POLICY_NAMES	       POLICIES(POLICY_NAME)

extern const struct policy policies[];
extern const size_t policy_count;

/*
 * Reads NAME or NAME,pages=N or next-N. *pages is what the policy's state begins with. Fails with
 * EXIT_OURS and a sentence that names what there is. The policy, or NULL.
 */
const struct policy *policy_parse(const char *text, uint64_t *pages, struct error *error);

#endif
