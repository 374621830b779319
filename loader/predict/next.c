/* `next-N`: the touched page and the N pages after it are filled, whatever was touched before. */
#include "loader/predict/predict.h"

struct prediction predict_next(struct policy_state *state, const struct touch *touch)
{
	return (struct prediction){.first = touch->page,
				   .pages = 1 + state->parameter,
				   .step = 1,
				   .bring = BRING_POPULATE,
				   .reason = REASON_NEXT};
}
