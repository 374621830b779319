/* `none`: the page that was touched, and nothing else. */
#include "loader/predict/predict.h"

struct prediction resident_predict_none(struct policy_state *state, uint64_t page)
{
	(void)state;
	return (struct prediction){.first = page, .pages = 1};
}
