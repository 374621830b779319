/*
 * `counter`: the predictor of the loader lab, unchanged. It always predicts the page after the
 * last one mapped, counts a fault there as a success and any other as a failure, and maps one
 * more page when the count stands at 1, two more when it is above. The count has no lower limit,
 * so a program that starts with many scattered touches is never predicted again.
 */
#include "loader/predict/predict.h"

struct prediction predict_counter(struct policy_state *state, const struct touch *touch)
{
	uint64_t more = 0;

	if (state->expected != 0) /* the first fault of all was not predicted by anybody */
		state->counter += touch->page == state->expected ? 1 : -1;
	if (state->counter == 1)
		more = 1;
	else if (state->counter > 1)
		more = 2;
	state->expected = touch->page + 1 + more;
	return (struct prediction){.first = touch->page,
				   .pages = 1 + more,
				   .step = 1,
				   .reason = more > 0 ? REASON_COUNTER : REASON_TOUCHED};
}
