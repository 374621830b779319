/*
 * `counter`: the predictor of the loader lab, unchanged. It always predicts the page after the
 * last one mapped, counts a fault there as a success and any other as a failure, and maps one
 * more page when the count stands at 1, two more when it is above. The count has no lower limit,
 * so a program that starts with many scattered touches is never predicted again.
 */
#include "loader/predict/predict.h"

struct counter {
	uint64_t expected; /* the page after the last one mapped; 0 before the first touch */
	int64_t count;	   /* number of right predictions minus wrong ones */
};

struct prediction predict_counter(struct policy_state *state, const struct touch *touch)
{
	struct counter *counter = POLICY_MEMORY(struct counter, state);
	uint64_t more = 0;

	if (counter->expected != 0) /* the first fault of all was not predicted */
		counter->count += touch->page == counter->expected ? 1 : -1;
	if (counter->count == 1)
		more = 1;
	else if (counter->count > 1)
		more = 2;
	counter->expected = touch->page + 1 + more;
	return (struct prediction){.first = touch->page,
				   .pages = 1 + more,
				   .step = 1,
				   .reason = more > 0 ? REASON_COUNTER : REASON_TOUCHED};
}
