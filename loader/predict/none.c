/* `none`: the page that was touched, and nothing else. */
#include "loader/predict/predict.h"

struct prediction predict_none(struct policy_state *state, const struct touch *touch)
{
	(void)state;
	return predict_one(touch);
}
